/**
 * Who may enter: every address of the route map × {nobody, user, moderator, admin}, as a page, as data, its loader alone,
 * and as a post. An address that is not declared here fails.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { seedFirstContent } from "#content/first-content.ts";
import { stepNow, totp } from "#tests/helpers/totp.ts";
import { OPERATIONS } from "#web/api/operations.ts";
import { nextPage } from "#web/request/next-page.ts";
import { type AccountSite, PASSWORD, startAccountSite } from "../helpers/account-site.ts";
import type { Answer, Browser } from "../helpers/browser.ts";
import { dataOf, fillAddress, MAP } from "../helpers/route-map.ts";

const ROLES = ["nobody", "user", "moderator", "admin"] as const;
type Who = (typeof ROLES)[number];

/** Who may: everybody, whoever is signed in, those who read the admin area, admins. "nothing": there is no such thing. */
type May = "anybody" | "members" | "readers" | "admins" | "nothing";
const WHO: Record<Exclude<May, "nothing">, readonly Who[]> = {
  anybody: ROLES,
  members: ["user", "moderator", "admin"],
  readers: ["moderator", "admin"],
  admins: ["admin"],
};

/** Every address without its language, but for public pages that take no posts: who may see it, and who may post to it. */
const DECLARED: Record<string, { see: May; post: May }> = {
  "/login": { see: "anybody", post: "anybody" },
  "/logout": { see: "anybody", post: "anybody" },
  "/verify-email": { see: "anybody", post: "anybody" },
  "/forgot-password": { see: "anybody", post: "anybody" },
  "/reset-password": { see: "anybody", post: "anybody" },
  "/two-factor": { see: "anybody", post: "anybody" },
  "/sign-in-code": { see: "anybody", post: "anybody" },
  "/confirm-email-change": { see: "anybody", post: "anybody" },
  "/keep-account": { see: "anybody", post: "anybody" },
  "/setup/:token": { see: "anybody", post: "anybody" },
  "/contact": { see: "anybody", post: "anybody" },
  "/*": { see: "anybody", post: "nothing" },

  "/user/reauthenticate": { see: "members", post: "members" },
  "/user/check-passkeys": { see: "members", post: "members" },
  "/user/settings": { see: "members", post: "nothing" },
  "/user/settings/profile": { see: "members", post: "members" },
  "/user/settings/avatar": { see: "members", post: "members" },
  "/user/settings/account": { see: "members", post: "members" },
  "/user/settings/security": { see: "members", post: "members" },
  "/user/settings/appearance": { see: "members", post: "members" },
  "/user/settings/data": { see: "members", post: "members" },
  "/user/settings/data/export": { see: "members", post: "members" },

  "/admin": { see: "readers", post: "nothing" },
  "/admin/*": { see: "readers", post: "readers" },
  "/admin/dashboard": { see: "readers", post: "nothing" },
  "/admin/games": { see: "readers", post: "nothing" },
  "/admin/games/create": { see: "admins", post: "admins" },
  "/admin/games/order": { see: "admins", post: "admins" },
  "/admin/games/:gameId/edit": { see: "admins", post: "admins" },
  "/admin/games/:gameId/guide": { see: "admins", post: "admins" },
  "/admin/games/:gameId/picture": { see: "admins", post: "admins" },
  "/admin/games/:gameId/delete": { see: "admins", post: "admins" },
  "/admin/gameservers": { see: "readers", post: "nothing" },
  "/admin/gameservers/create": { see: "admins", post: "admins" },
  "/admin/gameservers/order/:gameId": { see: "admins", post: "admins" },
  "/admin/gameservers/doctor": { see: "admins", post: "admins" },
  "/admin/gameservers/:serverId/ask-now": { see: "admins", post: "admins" },
  "/admin/gameservers/:serverId/edit": { see: "admins", post: "admins" },
  "/admin/gameservers/:serverId/heartbeat": { see: "admins", post: "admins" },
  "/admin/gameservers/:serverId/delete": { see: "admins", post: "admins" },
  "/admin/media": { see: "readers", post: "admins" },
  "/admin/messages": { see: "readers", post: "nothing" },
  "/admin/messages/:contactId": { see: "readers", post: "readers" },
  "/admin/messages/:contactId/delete": { see: "admins", post: "admins" },
  "/admin/people": { see: "admins", post: "nothing" },
  "/admin/people/blocked": { see: "admins", post: "admins" },
  "/admin/people/:userId": { see: "admins", post: "admins" },
  "/admin/people/:userId/second-factor": { see: "admins", post: "admins" },
  "/admin/people/:userId/delete": { see: "admins", post: "admins" },
  "/admin/audit": { see: "admins", post: "nothing" },
  "/admin/audit.csv": { see: "admins", post: "nothing" },
  "/admin/settings": { see: "admins", post: "admins" },
  "/admin/settings/keys": { see: "admins", post: "admins" },
  "/admin/settings/pictures": { see: "admins", post: "admins" },
  "/admin/settings/invitations": { see: "admins", post: "admins" },
};

for (const { address, file } of MAP) {
  const isOpen = file.startsWith("routes/public/") && !/^export .*\baction\b/m.test(await sourceOf(file));
  if (isOpen) DECLARED[address] ??= { see: "anybody", post: "nothing" };
}

/** Their posts sign out. */
const ENDS_SESSION: ReadonlySet<string> = new Set(["/logout"]);

function sourceOf(file: string): Promise<string> {
  return readFile(new URL(`../../app/${file}`, import.meta.url), "utf8");
}

let site: AccountSite;

async function withPasskey(userId: string) {
  const [made] = await site.sql<{ passkey_id: string }[]>`
    insert into passkeys (user_id, name, public_key, credential_id, counter, device_type, backed_up)
    values (${userId}, 'Laptop', 'key', ${userId}, 0, 'singleDevice', false) returning passkey_id`;
  return { passkey_id: made?.passkey_id ?? "" };
}
async function withSecondFactor(userId: string): Promise<Record<string, string>> {
  await site.sql`insert into two_factors (user_id, secret, recovery_codes, verified) values (${userId}, 'sealed', '[]', true)`;
  await site.sql`update users set two_factor_enabled = true where user_id = ${userId}`;
  return {};
}
/** Set up as far as to its first code. */
async function beginSecondFactor({ at }: Cast) {
  const { text } = await at.post("/user/settings/security", { intent: "totp-start" });
  return { code: totp(/secret=([A-Z2-7]+)/.exec(text)?.[1] ?? "", stepNow()) };
}

/** Who and what an act is done with: somebody signed in (an admin where the act is one), and somebody else. */
type Cast = { at: Browser; userId: string; other: { id: string; email: string } };
type Act = { fields?: (cast: Cast) => Record<string, string> | Promise<Record<string, string>>; get?: true };

/**
 * EVERY ACT of members and admins, by address and intent: `proved` are those for which one shows once more who one is
 * (decision 025), `open` all others. What is in neither list fails.
 */
const PROVED: Record<string, Act> = {
  "/user/settings/account email": { fields: ({ userId }) => ({ email: `moved-${userId}@example.org` }) },
  "/user/settings/account password": { fields: () => ({ current: PASSWORD, next: "another lamp at the pier" }) },
  "/user/settings/security totp-start": {},
  "/user/settings/security totp-confirm": { fields: beginSecondFactor },
  "/user/settings/security totp-codes": { fields: ({ userId }) => withSecondFactor(userId) },
  "/user/settings/security totp-off": { fields: ({ userId }) => withSecondFactor(userId) },
  "/user/settings/security passkey-remove": { fields: ({ userId }) => withPasskey(userId) },
  "/user/check-passkeys remove": { fields: ({ userId }) => withPasskey(userId) },
  "/user/settings/data": { fields: () => ({ confirm: "DELETE" }) },
  "/user/settings/data/export": {},
  "/admin/gameservers/:serverId/heartbeat renew": {},
  "/admin/people/:userId role": { fields: () => ({ role: "moderator" }) },
  "/admin/people/:userId/second-factor": {
    fields: async ({ other }) => ({ ...(await withSecondFactor(other.id)), confirm: other.email }),
  },
  "/admin/people/:userId/delete": { fields: ({ other }) => ({ confirm: other.email }) },
  "/admin/settings/invitations": { fields: () => ({ note: "Ada", uses: "1", days: "2" }) },
  "/admin/settings/keys": { fields: () => ({ note: "script", days: "2", scope: "admin:read" }) },
  "/admin/audit.csv": { get: true },
};
const OPEN = [
  ...["/user/reauthenticate", "/user/reauthenticate mail", "/user/check-passkeys"],
  ...["/user/settings/profile save", "/user/settings/profile upload-avatar", "/user/settings/profile remove-avatar"],
  ...["/user/settings/avatar", "/user/settings/appearance", "/user/settings/account email-cancel"],
  ...["/user/settings/security session-end", "/user/settings/security sessions-end-others"],
  "/user/settings/security passkey-rename",
  ...["/admin/*", "/admin/games/create", "/admin/games/order", "/admin/games/:gameId/edit"],
  ...["/admin/games/:gameId/guide", "/admin/games/:gameId/picture", "/admin/games/:gameId/delete"],
  ...["/admin/gameservers/create", "/admin/gameservers/order/:gameId", "/admin/gameservers/doctor"],
  ...["/admin/gameservers/:serverId/ask-now", "/admin/gameservers/:serverId/edit"],
  ...["/admin/gameservers/:serverId/delete", "/admin/gameservers/:serverId/heartbeat remove"],
  "/admin/media",
  ...["read", "archive", "restore", "extend", "answer"].map((intent) => `/admin/messages/:contactId ${intent}`),
  ...["/admin/messages/:contactId/delete", "/admin/people/blocked"],
  // Keeping somebody out is urgent, takes no account, and can be taken back.
  ...["/admin/people/:userId ban", "/admin/people/:userId unban", "/admin/people/:userId sessions"],
  ...["/admin/people/blocked lift", "/admin/settings", "/admin/settings/pictures"],
  ...["/admin/settings/invitations remove", "/admin/settings/keys remove"],
];

/** The public API's writing operations: none of them gives a role, a key, a token or somebody's data. */
const OPEN_OPERATIONS = [
  "signIn",
  "refreshSession",
  "signOut",
  "sendHeartbeat",
  "createGame",
  "updateGame",
  "deleteGame",
  "createServer",
  "updateServer",
  "deleteServer",
  "sendContact",
  "signUp",
  "updateProfile",
  "updateAvatar",
  "removeAvatar",
  "listFiles",
  "uploadFile",
  "removeFiles",
  "updateGuide",
  "updatePicture",
  "removePicture",
  "updateGameOrder",
  "updateServerOrder",
  "renewHeartbeatToken",
  "removeHeartbeatToken",
  "deleteMedia",
];

describe("rights", () => {
  const browsers = {} as Record<Who, Browser>;
  const values: Record<string, string> = { slug: "minecraft", token: "nonsense", "*": "nothing/here" };

  async function signIn(who: Who) {
    const { at, user } = await site.signedIn(`${who}-${Math.random()}@example.org`);
    await site.sql`update roles set role = ${who} where user_id = ${user.id}`;
    browsers[who] = at;
    return user.id;
  }

  before(async () => {
    site = await startAccountSite();
    await seedFirstContent(site.database.db);
    await site.sql`update gameserver set visibility = 'public'`;
    const [server] = await site.sql<
      { server_id: number; game_id: number }[]
    >`select server_id, game_id from gameserver limit 1`;
    values.serverId = String(server?.server_id);
    values.gameId = String(server?.game_id);
    const [contact] = await site.sql<{ contact_id: string }[]>`
      insert into contacts (name, email, message, locale) values ('Ada', 'ada@example.org', 'Hello', 'en') returning contact_id`;
    values.contactId = String(contact?.contact_id);
    browsers.nobody = site.browser();
    for (const who of ["moderator", "admin", "user"] as const) values.userId = await signIn(who);
  });
  after(() => site.stop());

  /** What every table holds, but for sessions, counted tries, and mails, which are sent meanwhile (their copies stay). */
  async function everything() {
    const tables = await site.sql<{ name: string }[]>`
      select tablename as name from pg_tables where schemaname = 'public'
      and tablename not in ('sessions', 'rate_limits', 'mails') order by 1`;
    const held = await Promise.all(
      tables.map(async ({ name }) => {
        const [row] = await site.sql.unsafe(
          `select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as sum from "${name}" t`,
        );
        return [name, row?.sum];
      }),
    );
    return Object.fromEntries(held);
  }

  const fill = (address: string) => fillAddress(address, values);
  const toSignIn = ({ location, text }: Answer) =>
    /\/login\/\?next=/.test(location ?? "") || /"\/(?:de\/)?login\/\?next=/.test(text);

  /** `loud`: as the failure says it. */
  function holds(answer: Answer, may: May, who: Who, loud: string) {
    if (may === "nothing") {
      assert.ok(
        [403, 404, 405].includes(answer.status) || toSignIn(answer),
        `${loud}: ${answer.status}, but there should be nothing`,
      );
    } else if (WHO[may].includes(who)) {
      assert.notEqual(answer.status, 403, `${loud}: refused`);
      assert.ok(!toSignIn(answer), `${loud}: sent to the sign-in`);
      assert.ok(answer.status < 500 || answer.status === 503, `${loud}: ${answer.status}`);
    } else if (who === "nobody") {
      assert.ok(toSignIn(answer), `${loud}: ${answer.status}, not sent to the sign-in`);
      assert.ok([302, 202].includes(answer.status), `${loud}: ${answer.status}`);
    } else {
      assert.equal(answer.status, 403, `${loud}: ${answer.status}, not refused`);
    }
  }

  /** Each page, refusals too, has one title, which ends with the site's name. */
  function saysWhoseSite({ headers, text }: Answer, loud: string) {
    if (!headers.get("content-type")?.startsWith("text/html") || text === "") return;
    const titles = [...(text.split("</head>")[0] ?? "").matchAll(/<title>(.*?)<\/title>/g)].map(([, title]) => title);
    assert.equal(titles.length, 1, `${loud}: ${titles.join(" | ")}`);
    assert.match(titles[0] ?? "", /\S – Spawnpoint$|^Spawnpoint – \S/, loud);
  }

  test("every address of the map is declared here, and nothing else", () => {
    const mapped = MAP.map(({ address }) => address);
    assert.deepEqual(
      mapped.filter((address) => !DECLARED[address]),
      [],
      "not declared",
    );
    assert.equal(new Set(mapped).size, mapped.length);
  });

  for (const who of ROLES) {
    test(`what ${who} may see: pages in both languages, their data, and each loader alone`, async () => {
      const at = browsers[who];
      for (const { address, id } of MAP) {
        const may = DECLARED[address]?.see ?? "nothing";
        const path = fill(address);
        const german = path === "/" ? "/de" : `/de${path}`;
        // Whoever is signed in is sent on from the sign-in.
        for (const each of [path, german, dataOf(path), dataOf(german)]) {
          const answer = await at.get(each);
          holds(answer, may, who, `${who} GET ${each}`);
          saysWhoseSite(answer, `${who} GET ${each}`);
        }
        if (may === "anybody" || may === "nothing") continue;
        const alone = `${dataOf(path)}?_routes=${encodeURIComponent(id)}`;
        holds(await at.get(alone), may, who, `${who} GET ${alone}`);
      }
    });

    test(`what ${who} may do: each action, also called as data`, async () => {
      for (const { address } of MAP) {
        const may = DECLARED[address]?.post ?? "nothing";
        const path = fill(address);
        for (const each of [path, dataOf(path)]) {
          holds(await browsers[who].post(each, {}), may, who, `${who} POST ${each}`);
          if (who !== "nobody" && ENDS_SESSION.has(address)) await signIn(who);
        }
      }
    });
  }

  test("every act, and every file that is handed over, is declared to need proof or not to", async () => {
    const declared = [...Object.keys(PROVED), ...OPEN];
    assert.equal(new Set(declared).size, declared.length);
    const found: string[] = [];
    for (const { address, file } of MAP) {
      const source = await sourceOf(file);
      if (source.includes("Content-Disposition")) assert.ok(PROVED[address], `${address} hands over a file`);
      const { see, post } = DECLARED[address] ?? { see: "nothing", post: "nothing" };
      if (post === "nothing" || (post === "anybody" && see === "anybody")) continue;
      const action = source.split(/^export (?=(?:async )?function action)/m)[1]?.split(/^export /m)[0] ?? "";
      const intents = [...action.matchAll(/intent"?\)?\s*[!=]==\s*"([\w-]+)"/g)].map(
        ([, intent]) => `${address} ${intent}`,
      );
      const others = declared.filter((act) => act === address || act.startsWith(`${address} `));
      found.push(...intents, ...(others.length === 0 ? [address] : others));
    }
    const acts = [...new Set([...found, "/admin/audit.csv"])].sort();
    assert.deepEqual(acts, declared.sort());
    const writing = OPERATIONS.filter(({ method }) => method !== "get").map(({ id }) => id);
    assert.deepEqual(writing.sort(), OPEN_OPERATIONS.sort());
  });

  for (const [act, { fields, get }] of Object.entries(PROVED)) {
    test(`with an old session ${act} changes nothing and asks who it is; proved, it works`, async () => {
      const [address = "", intent] = act.split(" ");
      const email = `proves-${Math.random()}@example.org`;
      const { at, user } = await site.signedIn(email);
      if (address.startsWith("/admin")) await site.sql`update roles set role = 'admin' where user_id = ${user.id}`;
      const other = await site.member(`other-${Math.random()}@example.org`);
      values.userId = other.id;
      const cast = { at, userId: user.id, other };
      const filled = { ...(await fields?.(cast)), ...(intent ? { intent } : {}) };
      const path = fill(address);
      const ask = (each: string) => (get ? at.get(each) : at.post(each, filled));

      await site.sql`update sessions set created_at = now() - interval '15 minutes 1 second' where user_id = ${user.id}`;
      const before = await everything();
      for (const each of [path, `/de${path}`, ...(get ? [] : [dataOf(path)])]) {
        const answer = await ask(each);
        assert.ok([302, 202].includes(answer.status), `${each}: ${answer.status}`);
        assert.match((answer.location ?? "") + answer.text, /\/user\/reauthenticate\?next=/, each);
      }
      assert.deepEqual(await everything(), before, "something changed");

      const sent = await ask(path);
      const back = new URL(sent.location ?? "", site.base);
      assert.equal((await at.post(back.pathname + back.search, { password: "not this lamp" })).status, 401);
      const proved = await at.post(back.pathname + back.search, { password: PASSWORD });
      assert.equal(proved.status, 302);
      const page = await at.get(proved.location ?? "");
      assert.equal(page.status, 200, `back on ${proved.location}`);
      const proven = await everything();
      const done = await ask(path);
      assert.doesNotMatch(done.location ?? "", /reauthenticate/);
      assert.ok(done.status < 400, `${done.status}: ${done.text.slice(0, 300)}`);
      if (!get) assert.notDeepEqual(await everything(), proven, "nothing changed");
    });
  }

  test("whoever proves anew comes back to what they had chosen, once and on that page alone", async () => {
    const { at, user } = await site.signedIn("chooser@example.org");
    await site.sql`update roles set role = 'admin' where user_id = ${user.id}`;
    const [one, two] = [await site.member("chosen@example.org"), await site.member("unchosen@example.org")];
    await site.sql`update sessions set created_at = now() - interval '1 hour' where user_id = ${user.id}`;
    const asked = await at.post(`/de/admin/people/${one.id}`, { intent: "role", role: "moderator" });
    const proved = await at.post(String(asked.location), { password: PASSWORD });
    assert.equal(proved.location, `/de/admin/people/${one.id}?again=1`);
    const chosen = /<option(?=[^>]*selected)[^>]*value="moderator"/;
    const page = await at.get(String(proved.location));
    assert.match(page.text, chosen);
    assert.match(page.text, /Was du gewählt hattest, ist noch da/);
    assert.doesNotMatch((await at.get(`/de/admin/people/${two.id}?again=1`)).text, chosen, "another page");
    assert.doesNotMatch((await at.get(`/de/admin/people/${one.id}`)).text, chosen, "not asked for");
    at.cookies.set(
      "spawnpoint_typed",
      `${Buffer.from(JSON.stringify([`/admin/people/${two.id}`, { role: "moderator" }])).toString("base64url")}.forged`,
    );
    assert.doesNotMatch((await at.get(`/admin/people/${two.id}?again=1`)).text, chosen, "forged");
    const saved = await at.post(String(proved.location), { intent: "role", role: "moderator" });
    assert.equal(saved.status, 200);
    const [row] = await site.sql`select role from roles where user_id = ${one.id}`;
    assert.equal(row?.role, "moderator");
  });

  test("an account without a password proves by a mailed code, and asking for that page again is no loop", async () => {
    const { at, user } = await site.signedIn("codes@example.org");
    await site.sql`delete from accounts where user_id = ${user.id}`;
    await site.sql`update sessions set created_at = now() - interval '1 hour' where user_id = ${user.id}`;
    const asked = await at.post("/user/settings/data/export", {});
    const page = await at.get(String(asked.location));
    assert.doesNotMatch(page.text, /type="password"/);
    assert.match(page.text, /Email me a code/);
    assert.equal((await at.post(String(asked.location), { intent: "mail" })).status, 200);
    const { template, data } = await site.newestMail("codes@example.org");
    assert.equal(template, "sign-in-code");
    assert.equal((await at.post(String(asked.location), { code: "0000 0000" })).status, 401);
    const proved = await at.post(String(asked.location), { code: String(data.code) });
    assert.equal(proved.location, "/user/settings/data");
    assert.equal((await at.post("/user/settings/data/export", {})).status, 200);
    const looped = await at.post("/user/reauthenticate?next=/user/reauthenticate", { intent: "mail" });
    assert.equal(looped.status, 200);
    assert.equal(nextPage("/de/user/reauthenticate?next=/x"), "/");
  });

  test("a change of role counts from the next request", async () => {
    const { at, user } = await site.signedIn("promoted@example.org");
    assert.equal((await at.get("/admin/games")).status, 403);
    await site.sql`update roles set role = 'moderator' where user_id = ${user.id}`;
    assert.equal((await at.get("/admin/games")).status, 200);
    assert.equal((await at.get("/admin/games/create")).status, 403);
    await site.sql`update roles set role = 'user' where user_id = ${user.id}`;
    assert.equal((await at.get("/admin/games")).status, 403);
  });

  test("a refusal is a plain page that says nothing of what is behind it", async () => {
    await signIn("user");
    const answer = await browsers.user.get(fill("/admin/games/:gameId/edit"));
    assert.equal(answer.status, 403);
    assert.match(answer.text, /This is for others\./);
    assert.doesNotMatch(answer.text, /Game Acronym|admin-menu/);
    assert.equal(answer.headers.get("cache-control"), "private, no-store");
  });
});
