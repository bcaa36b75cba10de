/**
 * What search engines and other programs get, through the front door: nothing that is hidden, and all that is not. And of every
 * page of the map, whether it is found there and kept in memory.
 */
import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { pino } from "pino";
import type { ServerBuild } from "react-router";
import { readConfig } from "#config";
import { seedDemoContent } from "#demo/demo-content.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { createWebMetrics } from "#web/metrics.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { startWeb, type Web } from "#web/server.ts";
import { dataOf, fillAddress, MAP } from "../helpers/route-map.ts";

const SITE = "https://play.example.org";
let database: TestDatabase;
let web: Web;
const ids: Record<string, number> = {};
const metrics = createWebMetrics();

before(async () => {
  database = await createTestDatabase();
  const { sql } = database;
  await seedDemoContent(database.db);
  await sql`update gameserver set visibility = 'public', host = 'play.example.org' where server_name in ('Valheim Vanilla', 'Minecraft Anarchy')`;
  await sql`update gameserver set visibility = 'members', host = 'members.example.org' where server_name = 'Skyrim Together Node 1'`;
  await sql`update gameserver set visibility = 'public' where game_id = (select game_id from games where game_slug = 'aion')`;
  await sql`update games set published = false where game_slug = 'aion'`;
  for (const { server_id, server_name, slug } of await sql<{ server_id: number; server_name: string; slug: string }[]>`
    select server_id, server_name, game_slug as slug from gameserver join games using (game_id)`) {
    ids[slug === "aion" ? "of an unpublished game" : server_name] = server_id;
  }
  await sql`insert into news (slug, title, published, starts_at) values ('first', '{"en":"The first"}', true, '2026-01-02')`;
  const config = { PORT: "0", DATABASE_URL: database.url, SITE_URL: SITE, LOG_LEVEL: "silent" };
  web = await startWeb(readConfig(config), { log: pino({ level: "silent" }), metrics });
});

after(async () => {
  await web?.stop();
  await database?.drop();
});

async function file(address: string, init?: RequestInit) {
  const response = await fetch(`http://127.0.0.1:${web.port}${address}`, { redirect: "manual", ...init });
  return { response, status: response.status, text: await response.text() };
}

const sitemapAddresses = async () =>
  [...(await file("/sitemap.xml")).text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = ""]) => address);

test("hidden, for members, or of an unpublished game: in no file that a program reads", async () => {
  const all = await database.sql<{ server_id: number; visibility: string }[]>`
    select server_id, visibility from gameserver join games using (game_id) where visibility <> 'public' or not published`;
  assert.ok(all.some(({ visibility }) => visibility === "hidden"));
  assert.ok(all.some(({ visibility }) => visibility === "members"));
  assert.ok(all.some(({ visibility }) => visibility === "public"));
  const { text } = await file("/sitemap.xml");
  for (const { server_id } of all) assert.doesNotMatch(text, new RegExp(`/servers/${server_id}\\b`));
  assert.doesNotMatch(text, /aion|members\.example/);
});

test("the sitemap lists every public page in both languages, each of them found there and not closed to robots", async () => {
  const addresses = await sitemapAddresses();
  const paths = ["/dashboard", "/games/valheim", `/servers/${ids["Valheim Vanilla"]}`, "/contact", "/privacy-policy"];
  for (const each of paths) {
    assert.ok(addresses.includes(SITE + each), each);
    assert.ok(addresses.includes(`${SITE}/de${each}`), each);
  }
  assert.ok(addresses.includes(`${SITE}/`) && addresses.includes(`${SITE}/de`));
  assert.equal(new Set(addresses).size, addresses.length);
  const closed = [...(await file("/robots.txt")).text.matchAll(/^Disallow: (.+)$/gm)].map(([, at = ""]) => at);
  for (const address of addresses) {
    assert.ok(address.startsWith(SITE), address);
    const at = address.slice(SITE.length);
    assert.ok(!closed.some((prefix) => at.startsWith(prefix)), at);
    const { status, text } = await file(at);
    assert.equal(status, 200, at);
    assert.match(text, new RegExp(`<link rel="canonical" href="${address}"`), at);
    assert.doesNotMatch(text, /<meta name="robots"/, at);
  }
});

/** How many requests were answered from memory so far. */
async function countFromMemory(): Promise<number> {
  const all = await metrics.registry.getMetricsAsJSON();
  const pages = all.find(({ name }) => name === "spawnpoint_page_cache_requests_total");
  return pages?.values.find(({ labels }) => labels.result === "fresh")?.value ?? 0;
}

test("every page of the map is kept in memory and listed for search engines, unless it says otherwise", async () => {
  const { routes } = (await import(path.join(import.meta.dirname, "../../build/server/index.js"))) as ServerBuild;
  const factsOf = (id: string | undefined): RouteFacts => {
    const route = id === undefined ? undefined : routes[id];
    return route ? { ...factsOf(route.parentId), ...(route.module.handle as RouteFacts | undefined) } : {};
  };
  const listed = await sitemapAddresses();
  const found = { kept: new Set<string>(), listed: new Set<string>() };
  for (const { address, id } of MAP) {
    const { kept = true, sitemap, robots } = factsOf(id);
    const isPage = routes[id]?.module.default !== undefined && !address.endsWith("*");
    const isListed = isPage && sitemap !== false && robots !== false;
    const english = fillAddress(address, {
      slug: "valheim",
      newsSlug: "first",
      serverId: String(ids["Valheim Vanilla"]),
    });
    for (const page of [english, english === "/" ? "/de" : `/de${english}`]) {
      assert.equal(listed.includes(SITE + page), isListed, `listed: ${page}`);
      if (isListed) found.listed.add(address);
      for (const at of [page, dataOf(page)]) {
        const { status } = await file(at);
        const before = await countFromMemory();
        await file(at);
        const isKept = isPage && kept && status === 200;
        assert.equal((await countFromMemory()) - before, Number(isKept), `from memory: ${at}`);
        if (isKept) found.kept.add(address);
      }
    }
  }
  const both = ["/", "/dashboard", "/developers", "/games/:slug", "/privacy-policy", "/servers/:serverId"];
  for (const address of both) assert.ok(found.kept.has(address) && found.listed.has(address), address);
  assert.ok(!found.kept.has("/contact") && found.listed.has("/contact"));
  for (const address of ["/login", "/setup/:token", "/user/settings/data", "/admin/dashboard"])
    assert.ok(!found.kept.has(address) && !found.listed.has(address), address);
});

test("neither what a stranger makes up nor another spelling of a page is kept", async () => {
  const before = await countFromMemory();
  for (const at of ["/games/nowhere", "/servers/999999", "/games/%76alheim", "/Dashboard", "/games/skyrimtogether"]) {
    for (const each of [at, at, `/de${at}`, `/de${at}`]) await file(each);
  }
  assert.equal(await countFromMemory(), before);
});

test("each entry of the sitemap names its twins, and says when it changed only where that is known", async () => {
  const { text, response } = await file("/sitemap.xml");
  assert.match(response.headers.get("content-type") ?? "", /^application\/xml/);
  const entries = [...text.matchAll(/<url>(.*)<\/url>/g)].map(([, entry = ""]) => entry);
  for (const entry of entries) {
    const twins = [...entry.matchAll(/hreflang="([^"]+)" href="([^"]+)"/g)].map(([, lang, href]) => [lang, href]);
    assert.deepEqual(
      twins.map(([lang]) => lang),
      ["en", "de", "x-default"],
    );
    assert.equal(twins[0]?.[1], twins[2]?.[1]);
    assert.ok(twins.some(([, href]) => entry.includes(`<loc>${href}</loc>`)));
  }
  const dated = entries.filter((entry) => entry.includes("<lastmod>"));
  assert.equal(dated.length, 6);
  for (const entry of dated)
    assert.match(entry, /\/(?:privacy-policy|terms-of-service|news\/first)<\/loc><lastmod>\d{4}-\d\d-\d\d</);
});

test("robots are kept out of single people's pages in both languages, and shown the sitemap", async () => {
  const { text, response } = await file("/robots.txt");
  assert.match(response.headers.get("content-type") ?? "", /^text\/plain/);
  assert.match(text, /^User-agent: \*\n/);
  const closed = [...text.matchAll(/^Disallow: (.+)$/gm)].map(([, at = ""]) => at);
  for (const at of ["/admin/people", "/user/settings", "/reset-password?token=1", "/setup/1"]) {
    for (const address of [at, `/de${at}`])
      assert.ok(
        closed.some((prefix) => address.startsWith(prefix)),
        address,
      );
  }
  assert.ok(closed.some((prefix) => "/api/auth/session".startsWith(prefix)));
  assert.match(text, new RegExp(`^Sitemap: ${SITE}/sitemap\\.xml$`, "m"));
});

test("security.txt is there once there is an address to write to, and expires within a year", async () => {
  assert.equal((await file("/.well-known/security.txt")).status, 404);
  await database.sql`insert into site_settings (setting_key, setting_value) values ('contact_email', '"door@example.org"'), ('site_name', '"<Nordheim> & Söhne"')`;
  await database.sql`notify catalog`;
  let found = await file("/.well-known/security.txt");
  for (let tries = 0; found.status !== 200 && tries < 50; tries += 1) {
    await pause(50);
    found = await file("/.well-known/security.txt");
  }
  assert.match(found.response.headers.get("content-type") ?? "", /^text\/plain; charset=utf-8/);
  const fields = new Map(
    [...found.text.matchAll(/^([\w-]+): (.+)$/gm)].reverse().map(([, name, value]) => [name, value]),
  );
  assert.equal(fields.get("Contact"), "mailto:door@example.org");
  assert.equal(fields.get("Canonical"), `${SITE}/.well-known/security.txt`);
  const days = (Date.parse(fields.get("Expires") ?? "") - Date.now()) / 86_400_000;
  assert.ok(days > 30 && days < 366, `${days} days`);
});

test("the manifest bears the operator's name, and its pictures exist", async () => {
  const { text, response } = await file("/manifest.webmanifest");
  assert.match(response.headers.get("content-type") ?? "", /^application\/manifest\+json/);
  const manifest = JSON.parse(text);
  assert.equal(manifest.name, "<Nordheim> & Söhne");
  for (const { src } of manifest.icons) await stat(path.join(import.meta.dirname, "../../public", src));
  assert.match((await file("/")).text, /<link rel="manifest" href="\/manifest\.webmanifest"/);
});

test("each file is sent again only after a change", async () => {
  for (const address of ["/sitemap.xml", "/robots.txt", "/manifest.webmanifest"]) {
    const { response } = await file(address);
    assert.equal(response.headers.get("cache-control"), "no-cache");
    assert.ok(response.headers.get("content-security-policy"));
    const headers = { "if-none-match": response.headers.get("etag") ?? "" };
    assert.equal((await file(address, { headers })).status, 304, address);
    assert.equal((await file(address, { method: "HEAD" })).status, 200, address);
  }
});
