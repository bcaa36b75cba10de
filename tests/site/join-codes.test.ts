/** Who reads a game server's join code: the same people who read its address. Refusals first. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { createGameServer } from "#domain/game-servers/edits.ts";
import { newGameServerFields } from "#domain/game-servers/fields.ts";
import { createGame } from "#domain/games/edits.ts";
import { OPERATIONS } from "#web/api/operations.ts";
import { type AccountSite, startAccountSite } from "../helpers/account-site.ts";
import type { Browser } from "../helpers/browser.ts";
import { dataOf, fillAddress, MAP } from "../helpers/route-map.ts";

/** Of letters alone, so that no encoding hides one. */
const CODES = { public: "OpenCode", members: "MembersCode", hidden: "HiddenCode", resting: "RestingCode" } as const;

describe("join codes of game servers", () => {
  let site: AccountSite;
  let admin: Browser;
  const ids: Record<string, number> = {};
  let slug = "";
  let gameId = 0;

  before(async () => {
    site = await startAccountSite();
    const { at, user } = await site.signedInAdmin("admin@example.org");
    admin = at;
    const actor = { user_id: user.id, origin: { ip: "", user_agent: "" } };
    const game = await createGame(site.database.db, actor, { game_name: "Windward", game_acronym: "WW" });
    assert.ok(game.ok);
    slug = game.game_slug;
    gameId = game.game_id;
    for (const [name, more] of Object.entries({
      public: { visibility: "public" },
      members: { visibility: "members" },
      hidden: { visibility: "hidden" },
      resting: { visibility: "public", lifecycle: "maintenance" },
    })) {
      const join_code = CODES[name as keyof typeof CODES];
      const given = { game_id: gameId, server_name: `Windward ${name}`, adapter: "heartbeat", join_code, ...more };
      const made = await createGameServer(site.database.db, actor, newGameServerFields.parse(given));
      assert.ok(made.ok);
      ids[name] = made.server_id;
    }
    await until("the pages", async () => (await site.browser().get(`/servers/${ids.resting}`)).status === 200);
  });
  after(() => site.stop());

  async function until(what: string, holds: () => Promise<boolean>) {
    for (let attempt = 0; attempt < 600; attempt += 1) {
      if (await holds()) return;
      await pause(50);
    }
    assert.fail(`never: ${what}`);
  }

  const form = (more: Record<string, string>) => ({
    game_id: String(gameId),
    server_name: "Windward typed",
    visibility: "public",
    lifecycle: "active",
    adapter: "heartbeat",
    password_access: "none",
    ...more,
  });

  test("a code that is too long is refused beside its field, and control characters are taken out", async () => {
    const refused = await admin.post("/admin/gameservers/create", form({ join_code: "x".repeat(65) }));
    assert.equal(refused.status, 422);
    assert.match(refused.text, /This is too long\./);
    const made = await admin.post(
      "/admin/gameservers/create",
      form({ join_code: " ab\u0000c\u202e-\r\n12\u0007 ", visibility: "hidden" }),
    );
    assert.equal(made.status, 302, made.text.slice(0, 200));
    const [row] = await site.sql`select server_id, join_code from gameserver where server_name = 'Windward typed'`;
    assert.equal(row?.join_code, "abc- 12");
    const { text } = await admin.get(`/admin/gameservers/${row?.server_id}/edit`);
    assert.match(/<input[^>]*name="join_code"[^>]*>/.exec(text)?.[0] ?? "", /value="abc- 12"/);
  });

  test("a visitor finds no code of a members-only, hidden or resting game server at any address", async () => {
    const told = new RegExp(`${CODES.members}|${CODES.hidden}|${CODES.resting}`, "i");
    const values = (id: number) => ({ slug, serverId: String(id), page: "launcher", id: String(id) });
    const pages = MAP.flatMap(({ address }) =>
      Object.values(ids).flatMap((id) => {
        const path = fillAddress(address, values(id));
        return [path, dataOf(path)];
      }),
    );
    const api = OPERATIONS.filter(({ method, path }) => method === "get" && !path.endsWith("/live")).flatMap(
      ({ path }) => Object.values(ids).map((id) => `/api/v1${path.replace(/\{\w+\}/g, String(id))}`),
    );
    let found = 0;
    for (const path of new Set([...pages, ...api].filter((one) => one !== "/live"))) {
      const { text, headers, status } = await site.browser().get(path);
      assert.doesNotMatch(JSON.stringify([...headers]) + text, told, path);
      if (status === 200 && text.includes(CODES.public)) found += 1;
    }
    assert.ok(found >= 6, `a search that finds nothing anywhere proves nothing: ${found}`);
  });

  test("its page, its card, its invitation and the API show it with Copy where there is no address, in both languages", async () => {
    for (const path of [`/servers/${ids.public}`, `/games/${slug}`, `/join/${ids.public}`]) {
      const { text } = await site.browser().get(path);
      assert.match(text, /Join code:[\s\S]*?<code[^>]*>OpenCode<\/code>/, path);
      assert.match(text, /aria-label="Copy join code of Windward public"/, path);
    }
    const { text } = await site.browser().get(`/servers/${ids.public}`);
    assert.doesNotMatch(text, /Address not announced yet/);
    assert.match((await site.browser().get(`/de/servers/${ids.public}`)).text, /Beitrittscode:[\s\S]*OpenCode/);
    const codeOf = async (id: number | undefined) =>
      JSON.parse((await site.browser().get(`/api/v1/servers/${id}`)).text).join_code;
    assert.equal(await codeOf(ids.public), CODES.public);
    assert.equal(await codeOf(ids.resting), null, "nobody can join it");
    const { at: member } = await site.signedIn("ada@example.org");
    assert.match((await member.get(`/servers/${ids.members}`)).text, new RegExp(CODES.members));
  });

  test("beside an address both can be copied, and a game server without a code shows no place for one", async () => {
    const id = ids.public ?? 0;
    await site.sql`update gameserver set host = 'play.example.org', game_port = 7777 where server_id = ${id}`;
    const page = async () => (await site.browser().get(`/servers/${id}`)).text;
    await until("the address", async () => (await page()).includes("play.example.org:7777"));
    assert.match(await page(), /Copy address of Windward public[\s\S]*Copy join code of Windward public/);
    await site.sql`update gameserver set join_code = null where server_id = ${id}`;
    await until("no code", async () => !(await page()).includes(CODES.public));
    assert.doesNotMatch(await page(), /Join code/);
  });
});
