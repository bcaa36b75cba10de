/**
 * Who may enter: every address of the route map × {nobody, user, moderator, admin}, as a page, as data, its loader alone,
 * and as a post. An address that rights-declared.ts says nothing of fails.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { seedDemoContent } from "#demo/demo-content.ts";
import { readSecret } from "#domain/accounts/secrets.ts";
import { registerTarget } from "#domain/notifications/targets.ts";
import { SITE_SECRET } from "#domain/site/secret.ts";
import { OPERATIONS } from "#web/api/operations.ts";
import { nextPage } from "#web/request/next-page.ts";
import { type AccountSite, PASSWORD, startAccountSite } from "../helpers/account-site.ts";
import type { Answer, Browser } from "../helpers/browser.ts";
import { dataOf, fillAddress, MAP } from "../helpers/route-map.ts";
import {
  DECLARED,
  ENDS_SESSION,
  type May,
  OPEN,
  OPEN_OPERATIONS,
  PROVED,
  ROLES,
  sourceOf,
  WHO,
  type Who,
} from "./rights-declared.ts";

describe("rights", () => {
  let site: AccountSite;
  const browsers = {} as Record<Who, Browser>;
  const values: Record<string, string> = {
    slug: "minecraft",
    newsSlug: "first",
    token: "nonsense",
    "*": "nothing/here",
  };

  async function signIn(who: Who) {
    const { at, user } = await site.signedIn(`${who}-${Math.random()}@example.org`);
    await site.sql`update roles set role = ${who} where user_id = ${user.id}`;
    browsers[who] = at;
    return user.id;
  }

  before(async () => {
    site = await startAccountSite();
    await seedDemoContent(site.database.db);
    await site.sql`update gameserver set visibility = 'public'`;
    const [server] = await site.sql<
      { server_id: number; game_id: number }[]
    >`select server_id, game_id from gameserver limit 1`;
    values.serverId = String(server?.server_id);
    values.gameId = String(server?.game_id);
    const [contact] = await site.sql<{ contact_id: string }[]>`
      insert into contacts (name, email, message, locale) values ('Ada', 'ada@example.org', 'Hello', 'en') returning contact_id`;
    values.contactId = String(contact?.contact_id);
    const [outpost] = await site.sql<{ outpost_id: number }[]>`
      insert into outposts (name, token_hash) values ('Oslo', 'nothing') returning outpost_id`;
    values.outpostId = String(outpost?.outpost_id);
    const [news] = await site.sql<{ news_id: number }[]>`
      insert into news (slug, title, published, starts_at, told_at)
      values ('first', '{"en":"The first"}', true, '2026-01-02', now()) returning news_id`;
    values.newsId = String(news?.news_id);
    const [plan] = await site.sql<{ plan_id: number }[]>`
      insert into plans (kind, first_local, time_zone, repeats, minutes) values ('restart', '2026-03-29T04:00', 'UTC', 'weekly', 10)
      returning plan_id`;
    values.planId = String(plan?.plan_id);
    const [incident] = await site.sql<{ incident_id: number }[]>`
      insert into incidents (about) values ('site') returning incident_id`;
    values.incidentId = String(incident?.incident_id);
    const channel = await registerTarget(site.database.db, (await readSecret(site.dataDir, SITE_SECRET)) ?? "", {
      kind: "webhook",
      identity: "bot",
      address: { url: "https://192.0.2.1/", secret: "whsec_" },
      name: "Bot",
      locale: "en",
    });
    values.targetId = channel.ok ? channel.target.target_id : "";
    values.kind = "webhook";
    browsers.nobody = site.browser();
    for (const who of ["moderator", "admin", "user"] as const) values.userId = await signIn(who);
  });
  after(() => site.stop());

  /** What every table holds, but for sessions, counted tries, last runs of jobs, and mails, which are sent meanwhile (their copies stay). */
  async function everything() {
    const tables = await site.sql<{ name: string }[]>`
      select tablename as name from pg_tables where schemaname = 'public'
      and tablename not in ('sessions', 'rate_limits', 'notification_deliveries', 'jobs') order by 1`;
    const held = await site.sql.unsafe<{ name: string; sum: string }[]>(
      tables
        .map(
          ({ name }) =>
            `select '${name}' as name, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as sum from "${name}" t`,
        )
        .join(" union all "),
    );
    return Object.fromEntries(held.map(({ name, sum }) => [name, sum]));
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

  test("every address of the map is declared, and nothing else", () => {
    const mapped = MAP.map(({ address }) => address);
    assert.deepEqual(
      mapped.filter((address) => !DECLARED[address]),
      [],
      "not declared",
    );
    assert.equal(new Set(mapped).size, mapped.length);
  });

  for (const who of ROLES) {
    test(`what ${who} may see: pages, their data, and each loader alone`, async () => {
      const at = browsers[who];
      for (const { address, id } of MAP) {
        const may = DECLARED[address]?.see ?? "nothing";
        const path = fill(address);
        const german = path === "/" ? "/de" : `/de${path}`;
        // Only refusals could be missing in German: who may see a page may see it in German.
        const isForThem = may !== "nothing" && WHO[may].includes(who);
        // Whoever is signed in is sent on from the sign-in.
        for (const each of [path, dataOf(path), ...(isForThem ? [] : [german, dataOf(german)])]) {
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
      const cast = { site, at, userId: user.id, other };
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
    const { at, user } = await site.signedInAdmin("chooser@example.org");
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
