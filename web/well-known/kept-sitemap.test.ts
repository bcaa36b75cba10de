/** The sitemap is made once for each state of the site's content and each of a few addresses of the site. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { SiteSnapshot } from "../pages/site-snapshot.ts";
import { wellKnownEndpoint } from "./well-known-endpoint.ts";

const SITE = "https://play.example.org";

/** How often the list of game servers was gone through, and what was answered. */
function startSite() {
  let read = 0;
  const now = { catalog: "a", site_url: SITE, names: ["one"] };
  const endpoint = wellKnownEndpoint(
    {
      readFor: () =>
        ({
          catalog: now.catalog,
          site_url: now.site_url,
          games: [],
          news: [],
          get gameServers() {
            read += 1;
            return now.names.map((server_id) => ({ server_id }));
          },
        }) as unknown as SiteSnapshot,
      keepsFor: () => true,
    },
    [
      {
        pattern: "/servers/:id",
        listed: true,
        facts: {
          sitemap: ({ gameServers }: SiteSnapshot) =>
            gameServers.map(({ server_id }) => ({ params: { id: String(server_id) } })),
        },
      },
    ] as never,
    SITE,
  );
  return {
    now,
    reads: () => read,
    async ask(headers: Record<string, string> = {}) {
      const answer = await endpoint.request("/sitemap.xml", { headers }, { incoming: {} });
      return { status: answer.status, etag: answer.headers.get("etag") ?? "", text: await answer.text() };
    },
  };
}

test("asked a hundred times it is made once, and anew with the next state of the content", async () => {
  const { now, reads, ask } = startSite();
  const first = await ask();
  assert.match(first.text, /servers\/one</);
  const once = reads();
  assert.ok(once > 0);
  for (let n = 0; n < 100; n += 1) assert.deepEqual(await ask(), first);
  assert.equal((await ask({ "If-None-Match": first.etag })).status, 304);
  assert.equal(reads(), once);
  Object.assign(now, { catalog: "b", names: ["two"] });
  const next = await ask({ "If-None-Match": first.etag });
  assert.equal(next.status, 200);
  assert.match(next.text, /servers\/two</);
  assert.doesNotMatch(next.text, /servers\/one</, "what was hidden is gone at once");
});

test("each address of the site has its own; made-up ones take no more memory, and not the site's own place", async () => {
  const { now, reads, ask } = startSite();
  for (let n = 0; n < 100; n += 1) {
    now.site_url = `http://127.0.0.${n}:8080`;
    assert.match((await ask()).text, new RegExp(`<loc>http://127.0.0.${n}:8080/`));
  }
  now.site_url = SITE;
  assert.match((await ask()).text, /<loc>https:\/\/play\.example\.org\//);
  const before = reads();
  await ask();
  assert.equal(reads(), before);
});
