/** Keys that are made, guessed, stolen, or too weak. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { admin, bearer, get, ids, keyOf, keyStatus, post, signIn, site, someAdmin } from "./attacked-site.ts";

export function attackKeys(): void {
  describe("keys", () => {
    test("one is made on the admin's screen, told once, kept as a hash, written down, and ended there", async () => {
      const answer = await admin.at.post("/admin/settings/keys", { note: "Deploy", days: "5", scope: "admin:read" });
      const key = /spk_[\w-]{43}/.exec(answer.text)?.[0] ?? "";
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get("cache-control"), "private, no-store");
      assert.equal(await keyStatus(key), 200);
      assert.equal((await post("/admin/games", { game_name: "X", game_acronym: "X" }, bearer(key))).status, 403);
      const [row] = await site.sql`select * from api_keys where note = 'Deploy'`;
      assert.ok(row);
      assert.ok(!JSON.stringify(row).includes(key.slice(4)));
      const audit = () =>
        site.sql`select what, details from audit_events where subject_type = 'api-key' and subject_id = ${String(row.key_id)} order by event_id`;
      assert.ok(!JSON.stringify(await audit()).includes(key.slice(4)));
      const list = await admin.at.get("/admin/settings/keys");
      assert.match(list.text, /Deploy/);
      assert.doesNotMatch(list.text, new RegExp(key.slice(4)));
      await admin.at.post("/admin/settings/keys", { intent: "remove", key_id: String(row.key_id) });
      assert.equal(await keyStatus(key), 401);
      assert.deepEqual(
        (await audit()).map(({ what }) => what),
        ["api-key-made", "api-key-ended"],
      );
      for (const more of [{ note: "" }, { days: "0" }, { days: "366" }, { scope: "settings:write" }, { scope: "" }])
        assert.equal(
          (await admin.at.post("/admin/settings/keys", { note: "N", days: "5", scope: "admin:read", ...more })).status,
          422,
        );
    });

    test("whoever has not shown lately who they are makes none", async () => {
      const { at, user } = await someAdmin("stale@example.org");
      await site.sql`update sessions set created_at = now() - interval '16 minutes' where user_id = ${user.id}`;
      const answer = await at.post("/admin/settings/keys", { note: "N", days: "5", scope: "admin:read" });
      assert.match(answer.location ?? "", /\/user\/reauthenticate/);
      assert.equal((await site.sql`select 1 from api_keys where user_id = ${user.id}`).length, 0);
    });

    test("a key dies with role, ban and account, and does not come back with them", async () => {
      const { user } = await someAdmin("mighty@example.org");
      const fates = [
        [
          () => site.sql`update roles set role = 'moderator' where user_id = ${user.id}`,
          () => site.sql`update roles set role = 'admin' where user_id = ${user.id}`,
        ],
        [
          () => site.sql`update users set banned_until = 'infinity' where user_id = ${user.id}`,
          () => site.sql`update users set banned_until = null where user_id = ${user.id}`,
        ],
        [
          () => site.sql`update users set deactivated_at = now() where user_id = ${user.id}`,
          () => site.sql`update users set deactivated_at = null where user_id = ${user.id}`,
        ],
      ] as const;
      for (const [fall, rise] of fates) {
        const key = await keyOf(user);
        assert.equal(await keyStatus(key), 200);
        await fall();
        assert.equal(await keyStatus(key), 401);
        await rise();
        assert.equal(await keyStatus(key), 401);
      }
      const key = await keyOf(user);
      await site.sql`update api_keys set expires_at = now() where user_id = ${user.id}`;
      assert.equal(await keyStatus(key), 401);
    });

    test("a key may what it was made for and nothing else, and a token what its member may", async () => {
      const games = bearer(await keyOf(admin.user, ["games:write"]));
      for (const [method, path] of [
        ["GET", "/admin/games"],
        ["GET", `/admin/servers/${ids.hidden}`],
        ["DELETE", `/admin/servers/${ids.seen}?confirm=x`],
      ] as const)
        assert.equal((await get(`/api/v1${path}`, games, method)).status, 403, path);
      const server = { game_id: ids.game, server_name: "x", adapter: "heartbeat" };
      assert.equal((await post("/admin/servers", server, games)).status, 403);
      await site.member("plain@example.org");
      const { access_token } = await signIn("plain@example.org");
      for (const path of ["/admin/games", "/admin/servers", "/admin/media", `/admin/servers/${ids.hidden}`])
        assert.equal((await get(`/api/v1${path}`, bearer(access_token))).status, 403, path);
      assert.equal((await post("/admin/servers", server, bearer(access_token))).status, 403);
      assert.equal((await get("/api/v1/session", games)).status, 401);
      assert.equal((await site.sql`select 1 from gameserver where server_name = 'x'`).length, 0);
    });

    test("guessing ends, and a neighbour in the same IPv6 network goes on guessing nothing", async () => {
      const statuses: number[] = [];
      for (let guess = 0; guess < 22; guess += 1) {
        const ip = `2001:db8:1:2::${guess + 1}`;
        const key = `spk_${String(guess).padStart(43, "g")}`;
        statuses.push((await get("/api/v1/admin/games", { ...bearer(key), "X-Forwarded-For": ip })).status);
      }
      assert.deepEqual(statuses.slice(0, 20), Array(20).fill(401));
      assert.deepEqual(statuses.slice(20), [429, 429]);
    });

    test("a write is the admin's, and the audit log says by which key", async () => {
      const key = await keyOf(admin.user);
      const answer = await post("/admin/games", { game_name: "Written", game_acronym: "W" }, bearer(key));
      const { game_id } = await answer.json();
      const [row] =
        await site.sql`select actor_id, user_agent from audit_events where what = 'game-created' and subject_id = ${String(game_id)}`;
      assert.equal(row?.actor_id, admin.user.id);
      assert.match(row?.user_agent, /^API key \d+ \(A test\)/);
    });
  });
}
