/** A game server with more slots than a byte holds: from its own protocol, through the collector, to the page and the API. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pino } from "pino";
import { readConfig } from "#config";
import { startA2sServer } from "#demo/protocols/a2s-server.ts";
import { createBed } from "#tests/helpers/test-bed.ts";
import { until } from "#tests/helpers/until.ts";
import { startWeb, type Web } from "#web/server.ts";

let bed: Awaited<ReturnType<typeof createBed>>;
let web: Web;

before(async () => {
  bed = await createBed();
  const config = { PORT: "0", DATABASE_URL: bed.url, SITE_URL: "https://play.example.org", LOG_LEVEL: "silent" };
  web = await startWeb(readConfig(config), { log: pino({ level: "silent" }) });
});

after(async () => {
  await bed?.clear();
  await web?.stop();
  await bed?.end();
});

test("a full Rust server shows 312 of 400, and a peak that a byte had cut short grows", async (context) => {
  let players = 312;
  const rust = { name: "Rusty", map: "Procedural", folder: "rust", game: "Rust", version: "2600", appId: 252490 };
  const server = await startA2sServer({ info: () => ({ ...rust, players, maxPlayers: 400, passwordProtected: true }) });
  context.after(() => server.close());
  const id = await bed.addServer({ game_port: server.port });
  await bed.sql`update gameserver set visibility = 'public' where server_id = ${id}`;
  await bed.sql`update games set published = true`;
  await bed.sql`update gameserver_live_metrics set user_peak = 255, user_peak_at = now(), user_peak_24h = 255, user_peak_7d = 255
    where server_id = ${id}`;
  await bed.start({ intervalS: 1 });

  const read = async (path: string) =>
    (await fetch(`http://127.0.0.1:${web.port}${path}`)).text().then((text) => text.replaceAll("<!-- -->", ""));
  const page = await until("312 of 400", async () => {
    const text = await read(`/servers/${id}`);
    return text.includes("312 of 400 players") && text;
  });
  assert.match(page, /<dt>All-time<\/dt><dd><span[^>]*>312</);
  assert.match(page, /The game server asks for a password\./);
  assert.match(await read(`/de/servers/${id}`), /312 von 400 Spielern/);
  const { live } = JSON.parse(await read(`/api/v1/servers/${id}`));
  assert.deepEqual([live.user_online, live.user_max, live.user_peak], [312, 400, 312]);

  players = 40;
  await until("40 of 400", async () => (await read(`/servers/${id}`)).includes("40 of 400 players"));
  assert.equal((await bed.row(id)).user_peak, 312);
});
