/** What pages tell search engines and sharers about themselves, through the front door, whatever a game server is called. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pino } from "pino";
import { z } from "zod";
import { readConfig } from "#config";
import { seedDemoContent } from "#demo/demo-content.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { startWeb, type Web } from "#web/server.ts";

const SITE = "https://play.example.org";
const HOSTILE = `</script><script>alert(1)</script><!--<script>"\\u003c'&]]>`;
let database: TestDatabase;
let web: Web;
const servers = new Map<string, number>();

before(async () => {
  database = await createTestDatabase();
  const { sql } = database;
  await seedDemoContent(database.db);
  await sql`update gameserver set visibility = 'public', host = 'play.example.org'`;
  await sql`update gameserver set server_name = ${HOSTILE}, description = jsonb_build_object('en', ${HOSTILE}::text) where server_name = 'Valheim Vanilla'`;
  const all = await sql<
    { server_id: number }[]
  >`select server_id from gameserver where lifecycle = 'active' and server_name <> ${HOSTILE} order by server_id limit 4`;
  const [hostile] = await sql<{ server_id: number }[]>`select server_id from gameserver where server_name = ${HOSTILE}`;
  const faces = [
    ["free", "online", 3, 10],
    ["full", "online", 10, 10],
    ["silent", "online", null, 10],
    ["down", "offline", null, null],
  ] as const;
  for (const [index, [name, status, online, max]] of faces.entries()) {
    const id = all[index]?.server_id ?? 0;
    servers.set(name, id);
    await sql`insert into gameserver_live_metrics (server_id, status, user_online, user_max_measured, status_since, last_answered_at, last_asked_at)
      values (${id}, ${status}, ${online}, ${max}, now(), now(), now())
      on conflict (server_id) do update set status = excluded.status, user_online = excluded.user_online, user_max_measured = excluded.user_max_measured,
        status_since = now(), last_answered_at = now(), last_asked_at = now()`;
  }
  servers.set("hostile", hostile?.server_id ?? 0);
  const config = { PORT: "0", DATABASE_URL: database.url, SITE_URL: SITE, LOG_LEVEL: "silent" };
  web = await startWeb(readConfig(config), { log: pino({ level: "silent" }) });
});

after(async () => {
  await web?.stop();
  await database?.drop();
});

async function page(address: string) {
  const response = await fetch(`http://127.0.0.1:${web.port}${address}`, { redirect: "manual" });
  const html = await response.text();
  const blocks = [...html.matchAll(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/g)].map(
    ([, text = ""]) => text,
  );
  return { status: response.status, csp: response.headers.get("content-security-policy") ?? "", html, blocks };
}

/** The things of a page by their type. */
async function things(address: string) {
  const { blocks, status } = await page(address);
  assert.equal(status, 200, address);
  assert.equal(blocks.length, 1, address);
  const { "@context": context, "@graph": graph } = JSON.parse(blocks[0] ?? "");
  assert.equal(context, "https://schema.org");
  const byType = new Map<string, unknown>();
  for (const thing of graph) byType.set(thing["@type"], thing);
  return byType;
}

const address = z.url().startsWith(`${SITE}/`);
const organization = z.strictObject({
  "@type": z.literal("Organization"),
  "@id": address,
  name: z.string().min(1),
  url: address,
  logo: address,
  sameAs: z.array(z.url()).min(1).optional(),
});
const webSite = z.strictObject({
  "@type": z.literal("WebSite"),
  "@id": address,
  name: z.string().min(1),
  url: address,
  inLanguage: z.enum(["en", "de"]),
  publisher: z.strictObject({ "@id": address }),
});
/** Google's rules: at least two places, counted from 1, each with a name and an address. */
const breadcrumbList = z.strictObject({
  "@type": z.literal("BreadcrumbList"),
  itemListElement: z
    .array(
      z.strictObject({
        "@type": z.literal("ListItem"),
        position: z.int(),
        name: z.string().min(1),
        item: address,
      }),
    )
    .min(2)
    .refine((places) => places.every(({ position }, index) => position === index + 1)),
});
const gameServer = z.strictObject({
  "@type": z.literal("GameServer"),
  name: z.string().min(1),
  description: z.string().min(1).optional(),
  url: address,
  game: z.strictObject({ "@type": z.literal("VideoGame"), name: z.string().min(1), url: address }),
  serverStatus: z
    .enum(
      ["Online", "OnlineFull", "OfflineTemporarily", "OfflinePermanently"].map((word) => `https://schema.org/${word}`),
    )
    .optional(),
  playersOnline: z.int().min(0).optional(),
});

test("no name ends its script, runs as one, or is allowed by the policy", async () => {
  for (const prefix of ["", "/de"]) {
    const at = `${prefix}/servers/${servers.get("hostile")}`;
    const { blocks, csp, html } = await page(at);
    assert.equal(blocks.length, 1);
    assert.doesNotMatch(blocks[0] ?? "", /[<>&]/);
    const found = gameServer.parse((await things(at)).get("GameServer"));
    assert.equal(found.name, HOSTILE);
    assert.equal(found.description, HOSTILE);
    assert.doesNotMatch(html, /<script>alert/);
    assert.match(csp, /script-src 'self' 'sha256-/);
    assert.doesNotMatch(csp, /unsafe/);
  }
});

test("what nobody measured is not told: no status, no players, and never 0", async () => {
  const unknown = gameServer.parse((await things(`/servers/${servers.get("hostile")}`)).get("GameServer"));
  assert.ok(!("serverStatus" in unknown) && !("playersOnline" in unknown));
  const silent = gameServer.parse((await things(`/servers/${servers.get("silent")}`)).get("GameServer"));
  assert.equal(silent.serverStatus, "https://schema.org/Online");
  assert.ok(!("playersOnline" in silent));
  const down = gameServer.parse((await things(`/servers/${servers.get("down")}`)).get("GameServer"));
  assert.equal(down.serverStatus, "https://schema.org/OfflineTemporarily");
  assert.ok(!("playersOnline" in down));
});

test("a game server that answers tells its players, and whether there is room", async () => {
  for (const [name, word, players] of [
    ["free", "Online", 3],
    ["full", "OnlineFull", 10],
  ] as const) {
    const found = gameServer.parse((await things(`/de/servers/${servers.get(name)}`)).get("GameServer"));
    assert.equal(found.serverStatus, `https://schema.org/${word}`);
    assert.equal(found.playersOnline, players);
    assert.equal(found.url, `${SITE}/de/servers/${servers.get(name)}`);
  }
});

test("the way to games and game servers is told by Google's rules, in the page's language", async () => {
  const game = breadcrumbList.parse((await things("/games/valheim")).get("BreadcrumbList"));
  assert.deepEqual(
    game.itemListElement.map(({ item }) => item),
    [`${SITE}/`, `${SITE}/games/valheim`],
  );
  const server = breadcrumbList.parse((await things(`/de/servers/${servers.get("hostile")}`)).get("BreadcrumbList"));
  assert.deepEqual(
    server.itemListElement.map(({ item }) => item),
    [`${SITE}/de`, `${SITE}/de/games/valheim`, `${SITE}/de/servers/${servers.get("hostile")}`],
  );
});

test("the home page says whose site it is", async () => {
  for (const [at, language] of [
    ["/", "en"],
    ["/de", "de"],
  ] as const) {
    const found = await things(at);
    const who = organization.parse(found.get("Organization"));
    const site = webSite.parse(found.get("WebSite"));
    assert.equal(site.publisher["@id"], who["@id"]);
    assert.equal(site.inLanguage, language);
  }
});

test("a link that is shared shows title, sentence and a picture that exists, each once", async () => {
  const paths = ["/", "/dashboard", "/games/valheim", `/servers/${servers.get("free")}`, "/contact", "/impressum"];
  for (const at of paths.flatMap((path) => [path, path === "/" ? "/de" : `/de${path}`])) {
    const { html } = await page(at);
    const of = (name: string) =>
      [...html.matchAll(new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`, "g"))].map(
        ([, text]) => text,
      );
    const german = /^\/de(?:\/|$)/.test(at);
    assert.deepEqual(of("og:url"), [SITE + at], at);
    assert.deepEqual(of("og:locale"), [german ? "de_DE" : "en_GB"], at);
    assert.deepEqual(of("og:locale:alternate"), [german ? "en_GB" : "de_DE"], at);
    for (const name of ["og:title", "og:description", "og:site_name", "og:type", "og:image:alt", "description"]) {
      assert.equal(of(name).length, 1, `${name} at ${at}`);
      assert.notEqual(of(name)[0], "", `${name} at ${at}`);
    }
    assert.deepEqual([...of("og:image:width"), ...of("og:image:height")], ["1200", "630"], at);
    assert.deepEqual(of("twitter:card"), ["summary_large_image"], at);
    const [picture = "", ...more] = of("og:image");
    assert.deepEqual(more, []);
    assert.ok(picture.startsWith(`${SITE}/`), at);
    const answer = await fetch(`http://127.0.0.1:${web.port}${picture.slice(SITE.length)}`);
    assert.equal(answer.status, 200, picture);
    assert.equal(answer.headers.get("content-type"), "image/jpeg");
    assert.ok((await answer.arrayBuffer()).byteLength <= 150 * 1024, picture);
  }
});
