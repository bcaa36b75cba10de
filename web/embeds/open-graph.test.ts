/** The pictures of shared links, through the front door: of nothing hidden, of the right size, and kept. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pino } from "pino";
import sharp from "sharp";
import { readConfig } from "#config";
import { seedDemoContent } from "#demo/demo-content.ts";
import { decodeImage } from "#domain/media/image-decoder.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { startWeb, type Web } from "../server.ts";

let database: TestDatabase;
let web: Web;
let of: { server_id: number; visibility: string; published: boolean; server_name: string }[];
const HOSTILE = '</svg><script>alert(1)</script> & "Nordheim" 🎮';

before(async () => {
  database = await createTestDatabase();
  const { sql } = database;
  await seedDemoContent(database.db);
  await sql`update gameserver set visibility = 'public', host = 'play.example.org'`;
  await sql`update gameserver set server_name = ${HOSTILE} where server_name = 'Valheim Vanilla'`;
  await sql`update gameserver set visibility = 'members' where server_name = 'Minecraft Anarchy'`;
  await sql`update gameserver set visibility = 'hidden' where server_name = 'Skyrim Together Node 1'`;
  await sql`update games set published = false where game_slug = 'aion'`;
  await sql`update games set picture = '../../../package' where game_slug = 'tera'`;
  of = await sql`select server_id, server_name, visibility, published from gameserver join games using (game_id)`;
  const config = { PORT: "0", DATABASE_URL: database.url, LOG_LEVEL: "silent" };
  web = await startWeb(readConfig(config), { log: pino({ level: "silent" }) });
  // This process has taken a picture before, for which readers of the image library are shut.
  const upload = await sharp({ create: { width: 8, height: 8, channels: 3, background: "#336699" } })
    .png()
    .toBuffer();
  assert.deepEqual(await decodeImage(upload, async () => "taken"), "taken");
});

after(async () => {
  await web?.stop();
  await database?.drop();
});

const picture = async (address: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`http://127.0.0.1:${web.port}/og/${address}`, { headers });
  return { response, status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
};
const idOf = (name: string) => of.find(({ server_name }) => server_name === name)?.server_id;

test("of what visitors may not see there is no picture", async () => {
  const closed = of.filter(({ visibility, published }) => visibility !== "public" || !published);
  assert.deepEqual(
    new Set(closed.map(({ visibility, published }) => (published ? visibility : "unpublished"))),
    new Set(["members", "hidden", "unpublished"]),
  );
  const addresses = [
    ...closed.map(({ server_id }) => `en/servers/${server_id}.jpg`),
    "en/games/aion.jpg",
    "en/games/nowhere.jpg",
    "fr/games/valheim.jpg",
    "en/games/..%2f..%2fpackage.jpg",
    "en/servers/999999.jpg",
    "en/servers/1e3.jpg",
    "en/games/valheim",
    "valheim.jpg",
    "",
  ];
  for (const address of addresses) {
    const { status, response } = await picture(address);
    assert.equal(status, 404, address);
    assert.equal(response.headers.get("cache-control"), "no-store", address);
  }
});

test("a game and a game server have one of 1200 × 630 px, 150 KB at most, in each language", async () => {
  for (const at of ["site", "games/valheim", `servers/${idOf(HOSTILE)}`]) {
    const both = await Promise.all(["en", "de"].map((locale) => picture(`${locale}/${at}.jpg`)));
    for (const { status, response, bytes } of both) {
      assert.equal(status, 200);
      assert.equal(response.headers.get("content-type"), "image/jpeg");
      assert.equal(response.headers.get("cross-origin-resource-policy"), "cross-origin");
      const { format, width, height } = await sharp(bytes).metadata();
      assert.deepEqual({ format, width, height }, { format: "jpeg", width: 1200, height: 630 });
      assert.ok(bytes.length > 10_000 && bytes.length <= 150 * 1024, `${bytes.length} bytes`);
    }
    assert.notDeepEqual(both[0]?.bytes, both[1]?.bytes);
  }
});

test("a game whose picture is missing still has one, of the same size", async () => {
  const { status, bytes } = await picture("en/games/tera.jpg");
  assert.equal(status, 200);
  const { width, height } = await sharp(bytes).metadata();
  assert.deepEqual([width, height], [1200, 630]);
});

test("it is drawn once and sent again only after a change", async () => {
  const first = await picture("en/games/minecraft.jpg");
  const headers = { "if-none-match": first.response.headers.get("etag") ?? "" };
  assert.equal((await picture("en/games/minecraft.jpg", headers)).status, 304);
  const again = await Promise.all(Array.from({ length: 50 }, () => picture("en/games/minecraft.jpg")));
  for (const { bytes } of again) assert.deepEqual(bytes, first.bytes);
});

test("a new name shows at once", async () => {
  const id = idOf(HOSTILE);
  const before = await picture(`en/servers/${id}.jpg`);
  await database.sql`update gameserver set server_name = 'Renamed' where server_id = ${id ?? 0}`;
  await database.sql`notify catalog`;
  let after = before;
  for (let tries = 0; after.bytes.equals(before.bytes) && tries < 100; tries += 1)
    after = await picture(`en/servers/${id}.jpg`);
  assert.ok(!after.bytes.equals(before.bytes));
});

test("whoever asks for many at once gets some of them, and a time to wait for the others", async () => {
  await database.sql`insert into gameserver (game_id, server_name, host, game_port, adapter, visibility)
    select game_id, 'Arena ' || n, 'play.example.org', 20000 + n, 'a2s', 'public'
    from games, generate_series(1, 60) n where game_slug = 'valheim'`;
  await database.sql`notify catalog`;
  const ids = await database.sql<{ server_id: number }[]>`
    select server_id from gameserver where server_name like 'Arena %' order by server_id`;
  const last = `en/servers/${ids.at(-1)?.server_id}.jpg`;
  while ((await picture(last)).status === 404);
  const all = await Promise.all(ids.slice(0, -1).map(({ server_id }) => picture(`en/servers/${server_id}.jpg`)));
  const drawn = all.filter(({ status }) => status === 200);
  const refused = all.filter(({ status }) => status === 503);
  assert.equal(drawn.length + refused.length, 59);
  assert.ok(drawn.length >= 20 && refused.length > 0, `${drawn.length} drawn`);
  for (const { response } of refused) {
    assert.ok(Number(response.headers.get("retry-after")) > 0);
    assert.equal(response.headers.get("cache-control"), "no-store");
  }
  // What is kept is still answered, and there is room again.
  assert.equal((await picture(last)).status, 200);
  assert.equal((await picture(`de/servers/${ids[0]?.server_id}.jpg`)).status, 200);
});
