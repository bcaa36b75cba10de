/** Both languages through the front door: the address says which, and nothing mixes them. */
import assert from "node:assert/strict";
import { get, type IncomingMessage } from "node:http";
import { after, before, test } from "node:test";
import { pino } from "pino";
import { readConfig } from "#config";
import { seedDemoContent } from "#demo/demo-content.ts";
import { hashPassword } from "#domain/accounts/passwords.ts";
import { createUser } from "#domain/accounts/users.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { startWeb, type Web } from "#web/server.ts";

let database: TestDatabase;
let web: Web;
let base: string;

before(async () => {
  database = await createTestDatabase();
  await seedDemoContent(database.db);
  await database.sql`update gameserver set visibility = 'public', host = 'play.example.org' where server_name = 'Valheim Vanilla'`;
  web = await startWeb(readConfig({ PORT: "0", DATABASE_URL: database.url, LOG_LEVEL: "silent" }), {
    log: pino({ level: "silent" }),
  });
  base = `http://127.0.0.1:${web.port}`;
});

after(async () => {
  await web.stop();
  await database.drop();
});

async function page(path: string, init?: RequestInit) {
  const response = await fetch(base + path, { redirect: "manual", ...init });
  const text = await response.text();
  return { response, status: response.status, text, lang: /<html lang="(\w+)"/.exec(text)?.[1] };
}

const GERMAN = { "accept-language": "de", cookie: "locale=de" };
const ENGLISH = { "accept-language": "en", cookie: "locale=en" };
const ARRIVING = { "sec-fetch-mode": "navigate", "sec-fetch-site": "none" };

test("an unknown language is an unknown page, in every language", async () => {
  for (const path of ["/fr", "/fr/dashboard", "/dede", "/de-AT/dashboard", "/en", "/en/dashboard", "/dashboard/de"]) {
    const { status, text, lang } = await page(path);
    assert.equal(status, 404, path);
    assert.equal(lang, "en", path);
    assert.match(text, /Page not found/, path);
  }
  for (const path of ["/de/fr", "/de/de", "/de/de/dashboard", "/de/games/nowhere", "/de/servers/999999"]) {
    const { status, text, lang } = await page(path);
    assert.equal(status, 404, path);
    assert.equal(lang, "de", path);
    assert.match(text, /Seite nicht gefunden/, path);
    assert.doesNotMatch(text, /Page not found/, path);
  }
});

test("neither cookie nor browser change the language of a page that is kept for all", async () => {
  for (const path of ["/dashboard", "/games/valheim", "/"]) {
    const german = path === "/" ? "/de" : `/de${path}`;
    for (const headers of [GERMAN, ENGLISH, {}]) {
      assert.equal((await page(path, { headers })).lang, "en", path);
      assert.equal((await page(german, { headers })).lang, "de", path);
    }
  }
});

test("a page of each language says everything in its own, its data too", async () => {
  const english = await page("/games/valheim");
  const german = await page("/de/games/valheim");
  assert.match(english.text, /How to get started/);
  assert.match(german.text, /So legst du los/);
  assert.doesNotMatch(english.text, /So legst du los|Spieler online/);
  assert.doesNotMatch(german.text, /How to get started|players now|No Server Available/);
  assert.match((await page("/de/dashboard.data")).text, /Spielern und Rekord|Valheim Vanilla/);
  assert.notEqual((await page("/de/games/valheim.data")).text, (await page("/games/valheim.data")).text);
});

test("what only admins or forms say is not loaded with pages that do not say it", async () => {
  for (const path of ["/", "/dashboard", "/games/valheim", "/contact", "/login/"]) {
    const { text } = await page(path);
    assert.match(text, /assets\/texts-[\w-]+\.js/, path);
    assert.doesNotMatch(text, /texts-of-admins/, path);
    assert.equal(/texts-of-forms/.test(text), path === "/contact" || path === "/login/", path);
  }
});

test("every link within a German page stays in German, but for the switch", async () => {
  for (const path of ["/de", "/de/dashboard", "/de/games/valheim", "/de/nowhere"]) {
    const { text } = await page(path);
    const links = [...text.matchAll(/<a [^>]*?href="(\/[^"]*)"/g)].map(([, href]) => href ?? "");
    assert.ok(links.length > 5, path);
    const leaving = links.filter((href) => !/^\/de(?:[/?#]|$)/.test(href));
    for (const href of leaving) assert.match(href, /\?locale=en$/, `${path} has a link to ${href}`);
  }
});

test("search engines learn of both languages, and of the one address that counts", async () => {
  for (const [path, canonical] of [
    ["/games/valheim?utm=1", "/games/valheim"],
    ["/de/games/valheim/", "/de/games/valheim"],
    ["/de/", "/de"],
    ["/", "/"],
  ]) {
    const { text } = await page(path ?? "");
    const link = (pattern: RegExp) => pattern.exec(text)?.[1]?.replace(/^http:\/\/[^/]+/, "");
    const english = canonical?.replace(/^\/de/, "") || "/";
    assert.equal(link(/<link rel="canonical" href="([^"]+)"/), canonical);
    assert.equal(link(/<link rel="alternate" hrefLang="en" href="([^"]+)"/), english);
    assert.equal(link(/<link rel="alternate" hrefLang="de" href="([^"]+)"/), english === "/" ? "/de" : `/de${english}`);
    assert.match(text, canonical?.startsWith("/de") ? /content="de_DE"/ : /content="en_GB"/);
  }
});

/** As a browser asks: fetch would put its own Sec-Fetch-Mode in. */
function arrive(path: string, headers: Record<string, string>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(base + path, { agent: false, headers: { ...ARRIVING, ...headers } }, (response) => {
      response.resume();
      resolve(response);
    }).on("error", reject);
  });
}

test("who arrives at the home page is sent on once, uncached; who chose the other language is not", async () => {
  const stays = await arrive("/", { "accept-language": "de", cookie: "locale=en" });
  assert.equal(stays.statusCode, 200);
  for (const name of ["Accept-Language", "Cookie"]) assert.match(stays.headers.vary ?? "", new RegExp(name));
  for (const path of ["/dashboard", "/_.data", "/de"]) assert.equal((await arrive(path, GERMAN)).statusCode, 200, path);
  const wishes: Record<string, string>[] = [
    { "accept-language": "de" },
    { "accept-language": "en", cookie: "locale=de" },
  ];
  for (const wish of wishes) {
    const { statusCode, headers: sent } = await arrive("/", wish);
    assert.equal(statusCode, 302);
    assert.equal(sent.location, "/de");
    assert.equal(sent["cache-control"], "no-store");
    assert.equal(sent["set-cookie"], undefined);
  }
});

test("a member's own setting comes before the remembered choice and the browser", async () => {
  const passwordHash = await hashPassword("a lamp in the harbour");
  for (const [locale, other, status, location] of [
    ["en", "de", 200, undefined],
    ["de", "en", 302, "/de"],
  ] as const) {
    const email = `${locale}@example.org`;
    await createUser(database.db, { email, passwordHash, locale, emailVerified: true });
    const { response } = await page("/login", {
      method: "POST",
      headers: { origin: base, "sec-fetch-site": "same-origin" },
      body: new URLSearchParams({ intent: "login", email, password: "a lamp in the harbour" }),
    });
    const session = response.headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0]);
    assert.ok(session.length > 0);
    const cookie = [...session, `locale=${other}`].join("; ");
    const { statusCode, headers } = await arrive("/", { cookie, "accept-language": other });
    assert.equal(statusCode, status);
    assert.equal(headers.location, location);
    assert.equal(headers["cache-control"], "private, no-store");
  }
});

test("the switch remembers, and shows a clean address", async () => {
  const { status, response } = await page("/games/valheim?locale=de");
  assert.equal(status, 302);
  assert.equal(response.headers.get("location"), "/de/games/valheim");
  assert.match(response.headers.get("set-cookie") ?? "", /^locale=de; Path=\/; Max-Age=31536000; SameSite=Lax/);
  assert.ok(response.headers.get("content-security-policy"));
});

test("fifty pages made at the same time never mix their languages", async () => {
  // Addresses that nobody keeps: each is rendered for itself.
  const pages = await Promise.all(
    Array.from({ length: 50 }, (_, index) => page(`${index % 2 ? "/de" : ""}/nowhere-${index}`)),
  );
  for (const [index, { text, lang }] of pages.entries()) {
    const german = index % 2 === 1;
    assert.equal(lang, german ? "de" : "en");
    assert.match(text, german ? /Zum Inhalt springen/ : /Skip to the page/);
    assert.match(text, german ? /Zurück zur Startseite/ : /Back to Home/);
    assert.doesNotMatch(text, german ? /Skip to the page|Back to Home/ : /Zum Inhalt springen|Zurück zur Startseite/);
  }
});

test("a form sent to a page that takes none learns nothing of what is inside", async () => {
  const init = {
    method: "POST",
    body: new URLSearchParams({ a: "1" }),
    headers: { origin: base, "sec-fetch-site": "same-origin" },
  };
  for (const path of [
    "/dashboard?secret=7f3a",
    "/de/games/valheim?secret=7f3a",
    "/?secret=7f3a",
    "/dashboard.data?secret=7f3a",
  ]) {
    const { status, text } = await page(path, init);
    assert.equal(status, 405, path);
    assert.doesNotMatch(
      text,
      /You made a POST|did not provide|routes\/public\/[\w/-]+\.tsx"?:?\s*at|node_modules|at async|7f3a/,
      path,
    );
  }
});
