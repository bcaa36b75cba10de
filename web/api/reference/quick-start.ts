// Contains the client library's quick-start examples, which /developers shows and a test runs.

/** For Node 20 and newer, and Deno: a file beside the downloaded client.js. */
export const quickStartForNode = (siteUrl: string): string => `// curl -O ${siteUrl}/client.js && node quickstart.mjs
import { createClient } from "./client.js";

const site = createClient("${siteUrl}");

const { data, error } = await site.servers.list({ per_page: 5 });
if (error) throw error;
for (const server of data.data) console.log(server.server_name, server.live.status, server.live.user_online);

const stop = site.live.follow({
  onChange(rows) {
    console.log(\`\${rows.length} game servers are followed.\`);
    stop();
  },
});
`;

/** For any web page: `spawnpoint` is a client of the site that the script came from. */
export const quickStartForPages = (
  siteUrl: string,
): string => `<script type="module" src="${siteUrl}/client.js"></script>
<p>Players now: <b id="players"></b></p>
<script type="module">
  const { data } = await spawnpoint.site.read();
  document.querySelector("#players").textContent = data.players_now;
</script>
`;
