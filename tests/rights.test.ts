/**
 * Who may enter: every address of the route map × {nobody, user, moderator, admin}, as a page, as data, its loader alone,
 * and as a post. An address that is not declared here fails.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import { seedFirstContent } from "#content/first-content.ts";
import routes from "../app/routes.ts";
import { type AccountSite, startAccountSite } from "./helpers/account-site.ts";
import type { Answer, Browser } from "./helpers/browser.ts";

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

/** Every address without its language: who may see it, and who may post to it. */
const DECLARED: Record<string, { see: May; post: May }> = {
  "/": { see: "anybody", post: "nothing" },
  "/games/:slug": { see: "anybody", post: "nothing" },
  "/games/skyrimtogether": { see: "anybody", post: "nothing" },
  "/game/aion": { see: "anybody", post: "nothing" },
  "/servers/:serverId": { see: "anybody", post: "nothing" },
  "/servers/:serverId/history": { see: "anybody", post: "nothing" },
  "/dashboard": { see: "anybody", post: "nothing" },
  "/developers": { see: "anybody", post: "nothing" },
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
  "/demo/:page": { see: "anybody", post: "nothing" },
  "/impressum": { see: "anybody", post: "nothing" },
  "/privacy-policy": { see: "anybody", post: "nothing" },
  "/terms-of-service": { see: "anybody", post: "nothing" },
  "/*": { see: "anybody", post: "nothing" },

  "/user/reauthenticate": { see: "members", post: "members" },
  "/user/settings": { see: "members", post: "nothing" },
  "/user/settings/profile": { see: "members", post: "members" },
  "/user/settings/avatar": { see: "nothing", post: "members" },
  "/user/settings/account": { see: "members", post: "members" },
  "/user/settings/security": { see: "members", post: "members" },
  "/user/settings/appearance": { see: "members", post: "members" },
  "/user/settings/data": { see: "members", post: "members" },
  "/user/settings/data/export": { see: "nothing", post: "members" },

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

/** Their posts sign out. */
const ENDS_SESSION: ReadonlySet<string> = new Set(["/logout", "/user/settings/data"]);

type Mapped = { address: string; id: string };

/** Every address of the map with the route that answers it. */
function flatten(entries: RouteConfigEntry[], at = ""): Mapped[] {
  return entries.flatMap((entry) => {
    const here = entry.path ? `${at}/${entry.path}` : at;
    const own = entry.index || (entry.path && !entry.children);
    const id = entry.id ?? entry.file.replace(/\.tsx?$/, "");
    return [
      ...(own ? [{ address: here.replace(/^\/de\?/, "") || "/", id }] : []),
      ...(entry.children ? flatten(entry.children, here) : []),
    ];
  });
}

const MAP = flatten(await routes);

describe("rights", () => {
  let site: AccountSite;
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

  const fill = (address: string) => address.replace(/:(\w+)|\*/g, (found, name) => values[name ?? found] ?? "1");
  const dataOf = (path: string) => (path === "/" ? "/_root.data" : `${path}.data`);
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
          holds(await at.get(each), may, who, `${who} GET ${each}`);
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
