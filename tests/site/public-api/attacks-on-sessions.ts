/** Tokens of programs: kept, stolen, used again, ended. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { User } from "#domain/accounts/users.ts";
import { PASSWORD } from "../../helpers/account-site.ts";
import type { Browser } from "../../helpers/browser.ts";
import { totp } from "../../helpers/totp.ts";
import { admin, bearer, get, post, signIn, site, type Tokens, tokenStatus } from "./attacked-site.ts";

/** The product promises 2 s; a machine that runs all tests at once gets more. */
const STREAM_END_MS = 5_000;

export function attackSessions(): void {
  describe("sessions of programs", () => {
    test("tokens are kept as hashes, are no cookies, stand among the member's sessions and in the export", async () => {
      const { at, user } = await site.signedIn("ada@example.org");
      const tokens = await signIn("ada@example.org", { program: "<b>Fleet</b> bot" });
      assert.equal(tokens.expires_in, 900);
      const rows = JSON.stringify(
        await site.sql`select * from program_sessions, sessions where program_sessions.user_id = ${user.id}`,
      );
      for (const token of [tokens.access_token, tokens.refresh_token]) assert.ok(!rows.includes(token.slice(4, 40)));
      for (const token of [tokens.access_token, tokens.access_token.slice(4), tokens.refresh_token]) {
        const page = await get("/user/settings/profile", { Cookie: `spawnpoint_session=${token}` });
        assert.doesNotMatch(await page.text(), /ada@example/);
      }
      assert.equal(
        await tokenStatus(decodeURIComponent(at.cookies.get("spawnpoint_session") ?? "").split(".")[0] ?? ""),
        401,
      );
      const devices = await at.get("/user/settings/security");
      assert.match(devices.text, /Program: &lt;b&gt;Fleet&lt;\/b&gt; bot/);
      const held = await at.post("/user/settings/data/export", {});
      const { tables } = JSON.parse(held.text);
      assert.equal(tables.program_sessions.length, 1);
      assert.equal(tables.program_sessions[0].access_token_hash, "(secret, not included)");
      assert.equal(
        (await post("/session", { email: "ada@example.org", password: PASSWORD, program: "a\u0007b" })).status,
        422,
      );
    });

    test("a refresh token is good once; whoever uses an old one ends the session", async () => {
      await site.member("rotating@example.org");
      const first = await signIn("rotating@example.org");
      const refresh = (refresh_token: string) => post("/session/refresh", { refresh_token });
      const second: Tokens = await (await refresh(first.refresh_token)).json();
      assert.equal(await tokenStatus(first.access_token), 401);
      assert.equal(await tokenStatus(second.access_token), 200);
      assert.equal((await refresh(first.refresh_token)).status, 401);
      assert.equal(await tokenStatus(second.access_token), 401);
      assert.equal((await refresh(second.refresh_token)).status, 401);
      const [audit] =
        await site.sql`select details from audit_events where what = 'session-ended' and actor_id = ${second.user.id}`;
      assert.deepEqual(audit?.details, { reason: "refresh token used again" });
      // Of two at the same moment at most one is answered, and the other shows that somebody else has it.
      const third = await signIn("rotating@example.org");
      const both = await Promise.all([refresh(third.refresh_token), refresh(third.refresh_token)]);
      assert.ok(both.some(({ status }) => status === 401));
      assert.equal((await site.sql`select 1 from sessions where user_id = ${third.user.id}`).length, 0);
    });

    test("a script that signs in at each run ends its own oldest sessions, and no browser's", async () => {
      const { at, user } = await site.signedIn("hourly@example.org");
      const first = await signIn("hourly@example.org");
      await site.sql`with made as (
        insert into sessions (user_id, token_hash, expires_at, last_used_at)
        select ${user.id}, 'run ' || n, now() + interval '1 day', now() + n * interval '1 minute' from generate_series(1, 19) as n
        returning session_id, token_hash)
        insert into program_sessions (session_id, user_id, program, access_token_hash, access_expires_at, refresh_family_hash, refresh_token_hash)
        select session_id, ${user.id}, 'cron', token_hash, now(), token_hash, token_hash from made`;
      assert.equal(await tokenStatus(first.access_token), 200);
      await site.sql`update sessions set last_used_at = now() - interval '1 hour' where session_id = (
        select session_id from program_sessions where user_id = ${user.id} and program <> 'cron')`;
      const last = await signIn("hourly@example.org");
      assert.equal(await tokenStatus(first.access_token), 401);
      assert.equal(await tokenStatus(last.access_token), 200);
      assert.equal((await site.sql`select 1 from program_sessions where user_id = ${user.id}`).length, 20);
      assert.ok(await site.isSignedIn(at));
    });

    test("sign-out, a new password, a ban, a new role and the end of an account end it and its stream", async () => {
      const ends: [string, (user: User, at: Browser, tokens: Tokens) => Promise<unknown>][] = [
        ["sign-out", (_user, _at, tokens) => get("/api/v1/session", bearer(tokens.access_token), "DELETE")],
        [
          "password",
          (_user, at) =>
            at.post("/user/settings/account", {
              intent: "password",
              current: PASSWORD,
              next: "a new lamp in the harbour",
            }),
        ],
        ["ban", (user) => admin.at.post(`/admin/people/${user.id}`, { intent: "ban", reason: "x", lasts: "1" })],
        ["role", (user) => admin.at.post(`/admin/people/${user.id}`, { intent: "role", role: "moderator" })],
        ["account", (user) => site.sql`delete from sessions where user_id = ${user.id}`],
      ];
      for (const [name, end] of ends) {
        const { at, user } = await site.signedIn(`${name}@example.org`);
        const tokens = await signIn(`${name}@example.org`);
        const stream = await get("/api/v1/live", bearer(tokens.access_token));
        const closed = (async () => {
          for await (const _ of stream.body ?? []);
        })();
        await end(user, at, tokens);
        const late = Symbol();
        assert.notEqual(await Promise.race([closed, pause(STREAM_END_MS, late)]), late, `${name}: the stream goes on`);
        assert.equal(await tokenStatus(tokens.access_token), 401, name);
        assert.equal((await post("/session/refresh", { refresh_token: tokens.refresh_token })).status, 401, name);
      }
    });

    test("the second factor is asked for, and a code is good once", async () => {
      const { at } = await site.signedIn("careful@example.org");
      const started = await at.post("/user/settings/security", { intent: "totp-start" });
      const uri = /name="uri" value="([^"]+)"/.exec(started.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
      const secret = new URL(uri).searchParams.get("secret") ?? "";
      const step = () => Math.floor(Date.now() / 30_000);
      const confirmed = await at.post("/user/settings/security", {
        intent: "totp-confirm",
        uri,
        codes: "",
        code: totp(secret, step() - 1),
      });
      assert.equal(confirmed.status, 200);
      const given = { email: "careful@example.org", password: PASSWORD };
      const without = await post("/session", given);
      assert.equal(without.status, 401);
      assert.equal((await without.json()).code, "second_factor_required");
      assert.equal((await (await post("/session", { ...given, code: "000000" })).json()).code, "second_factor_wrong");
      const code = totp(secret, step());
      const signedIn = await post("/session", { ...given, code });
      assert.equal(signedIn.status, 200, await signedIn.text());
      assert.equal((await post("/session", { ...given, code })).status, 401);
      assert.equal(
        (await site.sql`select 1 from program_sessions join users using (user_id) where email = 'careful@example.org'`)
          .length,
        1,
      );
    });

    test("a known and an unknown address are refused alike", async () => {
      await site.member("known@example.org");
      const refusals = await Promise.all(
        ["known@example.org", "unknown@example.org"].map(async (email) => {
          const startedAt = performance.now();
          const answer = await post("/session", { email, password: "not it" });
          return { status: answer.status, body: await answer.text(), ms: performance.now() - startedAt };
        }),
      );
      assert.equal(refusals[0]?.status, 401);
      assert.equal(refusals[0]?.body, refusals[1]?.body);
      for (const { ms } of refusals) assert.ok(ms >= 490, `${ms} ms`);
    });
  });
}
