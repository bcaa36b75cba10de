/**
 * The database away, hung, read-only and full, for visitors, members and admins: every address of the route map, asked for as a
 * page and as data, and every action, posted to as a page without script and as data.
 */
import assert from "node:assert/strict";
import { after, before, describe, type TestContext, test } from "node:test";
import { seedDemoContent } from "#demo/demo-content.ts";
import { type AccountSite, startAccountSite } from "#tests/helpers/account-site.ts";
import type { Browser } from "#tests/helpers/browser.ts";
import { dataOf, fillAddress, MAP } from "#tests/helpers/route-map.ts";
import { createDoor } from "#tests/helpers/test-bed.ts";
import { patience, tell } from "./figure.ts";

const PAGE = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const TYPED = "Typed by hand, 4711 <b>";
const WHO = ["visitor", "member", "admin"] as const;
type Who = (typeof WHO)[number];
type Got = { status: number; type: string; text: string; headers: Headers };

let site: AccountSite;
let door: Awaited<ReturnType<typeof createDoor>>;
const browsers = {} as Record<Who, Browser>;
const values: Record<string, string> = { slug: "minecraft", token: "x".repeat(43), "*": "nothing/here" };
/** What each is answered while all is well. */
const healthy = new Map<string, number>();
let databaseName = "";

before(async () => {
  site = await startAccountSite({}, async (url) => {
    door = await createDoor(url);
    return door.url;
  });
  await seedDemoContent(site.database.db);
  await site.sql`update gameserver set visibility = 'public'`;
  const [server] = await site.sql<
    { server_id: number; game_id: number; name: string }[]
  >`select server_id, game_id, current_database() as name from gameserver limit 1`;
  values.serverId = String(server?.server_id);
  values.gameId = String(server?.game_id);
  databaseName = server?.name ?? "";
  const [contact] = await site.sql<{ contact_id: string }[]>`
    insert into contacts (name, email, message, locale) values ('Ada', 'ada@example.org', 'Hello', 'en') returning contact_id`;
  values.contactId = String(contact?.contact_id);
  browsers.visitor = site.browser();
  for (const who of ["admin", "member"] as const) {
    const { at, user } = await site.signedIn(`${who}@example.org`);
    if (who === "admin") await site.sql`update roles set role = 'admin' where user_id = ${user.id}`;
    browsers[who] = at;
    values.userId = user.id;
  }
  for (const one of walk()) healthy.set(one.key, (await one.ask()).status);
});
after(async () => {
  door.heal();
  await site.stop();
  await door.close();
});

async function ask(who: Who, path: string, init: RequestInit = {}): Promise<Got> {
  const cookie = [...browsers[who].cookies].map((pair) => pair.join("=")).join("; ");
  const headers = new Headers({ Accept: path.includes(".data") ? "*/*" : PAGE, "Sec-Fetch-Site": "same-origin" });
  if (cookie !== "") headers.set("Cookie", cookie);
  const answer = await fetch(site.base + path, { redirect: "manual", ...init, headers });
  const type = answer.headers.get("content-type") ?? "";
  return { status: answer.status, type, text: await answer.text(), headers: answer.headers };
}

const post = (who: Who, path: string, fields: Record<string, string>) =>
  ask(who, path, { method: "POST", body: new URLSearchParams(fields) });

const isForMembers = (address: string) => /^\/(?:user|admin)(?:[/.]|$)/.test(address);

type Asked = {
  key: string;
  who: Who;
  address: string;
  german: boolean;
  isData: boolean;
  ask: () => Promise<Got>;
  post: (fields: Record<string, string>) => Promise<Got>;
};

/** Every address as each of the three, as a page and as data, German and English in turns. */
function* walk(only: readonly Who[] = WHO): Generator<Asked> {
  for (const [index, { address }] of MAP.entries()) {
    for (const who of only) {
      for (const isData of [false, true]) {
        const german = (index + Number(isData)) % 2 === 1;
        const plain = fillAddress(address, values);
        const locale = german ? (plain === "/" ? "/de" : `/de${plain}`) : plain;
        const path = isData ? dataOf(locale) : locale;
        yield {
          key: `${who} ${path}`,
          who,
          address,
          german,
          isData,
          ask: () => ask(who, path),
          post: (fields) => post(who, path, fields),
        };
      }
    }
  }
}

/** What holds for every answer at any time: a browser gets pages, its router what it can read, and neither an error of ours. */
function isForBrowsers({ key, isData, german }: Asked, got: Got) {
  const about = `${key}: ${got.status} ${got.type} ${got.text.slice(0, 200)}`;
  assert.notEqual(got.status, 500, about);
  if (got.status === 503) assert.ok(Number(got.headers.get("retry-after")) > 0, `no Retry-After: ${about}`);
  if (got.status >= 500) assert.match(got.headers.get("cache-control") ?? "", /no-store/, about);
  if (isData) {
    assert.doesNotMatch(got.type, /json|html/, about);
    // Without this header React Router takes an answer of 400 and more for an error of that status.
    if (got.status >= 400 && !got.headers.has("x-remix-response")) assert.match(got.text, /^[a-z_]+$/, about);
  } else if (got.status >= 400) {
    assert.match(got.type, /^text\/html; charset=utf-8$/i, about);
    assert.match(got.text, german ? /<html lang="de"/ : /<html lang="en"/, about);
    assert.doesNotMatch(got.text, /nothing of yours is lost|nichts verloren|slot-of-/, about);
    if (got.status === 503) assert.doesNotMatch(got.text, /Unexpected Application Error|Unerwarteter Fehler/, about);
  }
}

async function forAll(asked: Iterable<Asked>, work: (one: Asked) => Promise<void>): Promise<number> {
  const all = [...asked];
  let next = 0;
  const turns = Array.from({ length: 12 }, async () => {
    for (let one = all[next++]; one; one = all[next++]) await work(one);
  });
  await Promise.all(turns);
  return all.length;
}

/** Public addresses whose loader asks the database: a token's, figures of the past, and what a member is told by mail. */
const ASKS_DATABASE =
  /^\/(?:reset-password|setup\/|keep-account|confirm-email-change|verify-email|servers\/:serverId\/history|following\/mail)/;

/** What members and visitors get of each address while nobody can be found. */
async function walkWhileAway(): Promise<number> {
  return forAll(walk(), async (one) => {
    const got = await one.ask();
    isForBrowsers(one, got);
    const about = `${one.key}: ${got.status} ${got.text.slice(0, 200)}`;
    const visitor = healthy.get(one.key.replace(/^\w+/, "visitor"));
    if (isForMembers(one.address)) {
      assert.equal(got.status, one.who === "visitor" ? visitor : 503, about);
      if (one.who === "visitor" || one.isData) return;
      const line = one.german ? /Dein Konto ist gerade nicht erreichbar/ : /Your account cannot be reached just now/;
      assert.match(got.text, line, about);
      assert.match(got.text, one.german ? /Das geht gerade nicht/ : /This does not work right now/, about);
    } else {
      const allowed = ASKS_DATABASE.test(one.address) ? [visitor, 503] : [visitor];
      // Whoever may be signed in is not sent away from the page that signs out.
      if (one.address === "/logout" && one.who !== "visitor") allowed.push(200);
      assert.ok(allowed.includes(got.status), about);
      if (one.isData || got.status !== 200 || !got.type.startsWith("text/html")) return;
      const [bar = ""] = /<header[\s\S]*?<\/header>/.exec(got.text) ?? [];
      assert.equal(/href="(?:\/de)?\/login\/"/.test(bar), one.who === "visitor", `the way to sign in: ${about}`);
      const line = one.german ? /Dein Konto ist gerade nicht erreichbar/ : /Your account cannot be reached just now/;
      assert.equal(line.test(got.text), one.who !== "visitor", `the line on the account: ${about}`);
    }
    assert.doesNotMatch(got.text, /(?:member|admin)@example\.org/, about);
  });
}

/** While it can be read, whoever is signed in is known, and every page is what it was. */
async function walkWhileReadable(): Promise<number> {
  return forAll(walk(), async (one) => {
    const got = await one.ask();
    isForBrowsers(one, got);
    assert.equal(got.status, healthy.get(one.key), `${one.key}: ${got.text.slice(0, 200)}`);
  });
}

/** Every action, posted to with something typed: nothing is done, and what was typed comes back where a page is asked for. */
async function postWhileAway(nobodyKnown: boolean): Promise<number> {
  const fields = { message: TYPED, email: "typed@example.org", password: "a lamp in the attic", intent: "save" };
  return forAll(walk(), async (one) => {
    const got = await one.post(fields);
    isForBrowsers(one, got);
    // The password of a game server is no account's: its form shows it again, like all that was typed.
    if (!one.address.includes("/gameservers/")) assert.doesNotMatch(got.text, /a lamp in the attic/, one.key);
    if (!nobodyKnown || one.who === "visitor" || !isForMembers(one.address)) return;
    assert.equal(got.status, 503, `${one.key}: ${got.text.slice(0, 200)}`);
    // What takes files is read by its action alone.
    if (one.isData || /profile|avatar|picture/.test(one.address)) return;
    assert.match(got.text, /Typed by hand, 4711 &lt;b&gt;/, one.key);
  });
}

/** The forms that have texts of their own for a failure, with what was typed into them. */
async function formsSayThemselves(fault: string, known: boolean) {
  const away = { en: "The site cannot do this just now", de: "Die Website kann das gerade nicht" };
  const forms: [Who, string, Record<string, string>, RegExp[]][] = [
    ["visitor", "/login/", { intent: "login", email: "ada@example.org", password: "p" }, [/Login failed\./]],
    ["visitor", "/de/login/", { intent: "login", email: "ada@example.org", password: "p" }, [/fehlgeschlagen/]],
    [
      "visitor",
      "/login/",
      { intent: "register", email: "ada@example.org", password: "a lamp in the cellar" },
      [/Registration failed\./],
    ],
    ["visitor", "/forgot-password", { email: "ada@example.org" }, []],
    ["visitor", "/de/sign-in-code", { email: "ada@example.org" }, []],
    // Who is known to be signed in is sent on from there.
    [
      known ? "visitor" : "member",
      "/login/",
      { intent: "login", email: "ada@example.org", password: "p" },
      [/Login failed\./],
    ],
    ["member", "/forgot-password", { email: "ada@example.org" }, []],
  ];
  for (const [who, path, fields, own] of forms) {
    const got = await post(who, path, fields);
    const about = `${fault}: ${who} ${path} ${JSON.stringify(fields)}: ${got.status}`;
    assert.equal(got.status, 503, about);
    assert.equal(got.headers.get("retry-after"), "5", about);
    for (const expected of own) assert.match(got.text, expected, about);
    assert.ok(got.text.includes(away[path.startsWith("/de") ? "de" : "en"]), about);
    assert.match(got.text, /value="ada@example\.org"/, about);
  }
  for (const who of ["member", "admin"] as const) {
    for (const [path, expected] of [
      ["/logout", /Failed to log out/],
      ["/de/logout", /Abmelden fehlgeschlagen/],
    ] as const) {
      const got = await post(who, path, {});
      assert.equal(got.status, 503, `${fault}: ${path}`);
      assert.match(got.text, expected, `${fault}: ${path}`);
      assert.equal(got.headers.get("set-cookie"), null, `${fault}: signed out by a failure`);
    }
  }
  if (!known) return;
  const game = { game_name: TYPED, game_acronym: "TBH" };
  const made = await post("admin", "/admin/games/create", game);
  assert.equal(made.status, 503, fault);
  assert.match(made.text, /Error creating game!<?[\s\S]{0,80}What you typed is still here/, fault);
  assert.match(made.text, /value="Typed by hand, 4711 &lt;b&gt;"/, fault);
}

/** All of it works again, and whoever was signed in still is. */
async function isWellAgain() {
  const until = performance.now() + patience(10_000);
  for (;;) {
    const [page, login] = await Promise.all([ask("member", "/user/settings/profile"), ask("admin", "/admin/games")]);
    if (page.status === 200 && login.status === 200) break;
    assert.ok(performance.now() < until, `not well again: ${page.status}, ${login.status}`);
  }
  assert.match((await ask("member", "/")).text, /member@example\.org/);
}

async function whileAway(t: TestContext, how: string, leave: () => void) {
  leave();
  try {
    await answersWhileAway(t, how);
  } finally {
    door.heal();
  }
  await isWellAgain();
}

async function answersWhileAway(t: TestContext, how: string) {
  const left = performance.now();
  const first = await Promise.all(WHO.map((who) => ask(who, "/dashboard")));
  const firstMs = Math.round(performance.now() - left);
  assert.deepEqual(
    first.map(({ status }) => status),
    [200, 200, 200],
  );
  assert.ok(firstMs < patience(4_000), `the first page came after ${firstMs} ms`);
  const pages = await walkWhileAway();
  const posts = await postWhileAway(true);
  await formsSayThemselves(how, false);
  tell(
    t,
    `the database ${how} for a signed-in member`,
    `${pages} answers to visitors, members and admins and ${posts} to what they posted, none of them bare or JSON; the first after ${firstMs} ms`,
  );
}

async function whileReadable(
  t: TestContext,
  how: "read-only" | "full",
  begin: () => Promise<void>,
  end: () => Promise<void>,
) {
  await begin();
  try {
    // To whoever only reads, both are the same.
    const pages = how === "read-only" ? await walkWhileReadable() : 0;
    const posts = await postWhileAway(false);
    await formsSayThemselves(how, true);
    tell(
      t,
      `the database ${how} for a signed-in member`,
      `${pages > 0 ? `${pages} pages as ever, ` : ""}${posts} answers to what was posted, none of them bare or JSON`,
    );
  } finally {
    await end();
  }
  await isWellAgain();
}

/** Ends all connections, the test's own too, so that the next ones begin under the new setting. */
const reconnect = async () => {
  await site.sql.begin(async (own) => {
    await own`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = ${databaseName} and pid <> pg_backend_pid()`;
  });
};

describe("while somebody is signed in", () => {
  test("the database away", (t) => whileAway(t, "away", () => door.cut()));
  test("the database hung", (t) => whileAway(t, "hung", () => door.pause()));

  test("the database read-only", async (t) => {
    const set = (value: string) =>
      site.sql.unsafe(`alter database ${databaseName} set default_transaction_read_only = ${value}`);
    // The session is due to be written down as used: that it cannot be costs nobody the page.
    await site.sql`update sessions set last_used_at = now() - interval '10 minutes'`;
    await whileReadable(
      t,
      "read-only",
      async () => {
        await set("on");
        await reconnect();
      },
      async () => {
        await site.sql.begin(async (tx) => {
          await tx`set transaction read write`;
          await tx.unsafe(`alter database ${databaseName} reset default_transaction_read_only`);
        });
        await reconnect();
      },
    );
  });

  test("the database full", async (t) => {
    await site.sql.unsafe(`create function no_room() returns trigger language plpgsql as $$ begin
      raise exception 'could not extend file: No space left on device' using errcode = '53100';
    end $$`);
    const tables = await site.sql<{ name: string }[]>`
      select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tablename <> 'mail_copies'`;
    const each = (make: (name: string) => string) => site.sql.unsafe(tables.map(({ name }) => make(name)).join(";"));
    await whileReadable(
      t,
      "full",
      async () => {
        await each((name) => `create trigger no_room before insert or update on ${name} execute function no_room()`);
      },
      async () => {
        await each((name) => `drop trigger no_room on ${name}`);
      },
    );
  });
});
