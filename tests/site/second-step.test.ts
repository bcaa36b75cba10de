/** The second step of a login under attack: guesses in turn and at once, others' marks, and marks that are over. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type AccountSite, startAccountSite } from "#tests/helpers/account-site.ts";
import type { Browser } from "#tests/helpers/browser.ts";
import { stepNow, totp } from "#tests/helpers/totp.ts";

const MARK = "spawnpoint_second_step";
let site: AccountSite;
before(async () => {
  site = await startAccountSite();
});
after(() => site.stop());

async function withSecondFactor(email: string) {
  const { at, user } = await site.signedIn(email);
  const begun = await at.post("/user/settings/security", { intent: "totp-start" });
  const secret = /secret=([A-Z2-7]+)/.exec(begun.text)?.[1] ?? "";
  const [recovery = ""] = /\b[2-9a-hjkmnp-z]{5}-[2-9a-hjkmnp-z]{5}\b/.exec(begun.text) ?? [];
  await at.post("/user/settings/security", { intent: "totp-confirm", code: totp(secret, stepNow() - 1) });
  return { user, secret, recovery };
}
async function firstStep(email: string): Promise<Browser> {
  const at = site.browser();
  assert.match(String((await site.signIn(at, email)).location), /^\/two-factor/);
  return at;
}
const second = (at: Browser, code: string, kind = "app") => at.post("/two-factor", { kind, code });
const codesOf = async (userId: string) =>
  (
    await site.sql`select details from audit_events where what = 'sign-in-failed' and subject_id = ${userId} order by event_id`
  ).map(({ details }) => details.code);

test("ten wrong codes in a row lock the second step for a quarter of an hour, for right codes too", async () => {
  const email = "locked@example.org";
  const { user, secret, recovery } = await withSecondFactor(email);
  for (let mark = 0; mark < 2; mark += 1) {
    const at = await firstStep(email);
    for (let guess = 0; guess < 5; guess += 1) assert.equal((await second(at, "000000")).status, 401);
  }
  for (const [code, kind] of [
    [totp(secret, stepNow()), "app"],
    [recovery, "recovery"],
  ] as const) {
    const at = await firstStep(email);
    assert.equal((await second(at, code, kind)).status, 429, kind);
    assert.equal(await site.isSignedIn(at), false);
  }
  assert.deepEqual((await codesOf(user.id)).slice(-2), ["ACCOUNT_TEMPORARILY_LOCKED", "ACCOUNT_TEMPORARILY_LOCKED"]);
  await site.sql`update two_factors set locked_until = now() - interval '1 s' where user_id = ${user.id}`;
  const at = await firstStep(email);
  assert.equal((await second(at, "000000")).status, 401, "one wrong code doesn't lock it again");
  assert.equal((await second(at, totp(secret, stepNow()))).status, 302);
  const [row] = await site.sql`select failed_count, locked_until from two_factors where user_id = ${user.id}`;
  assert.deepEqual({ ...row }, { failed_count: 0, locked_until: null });
});

test("guesses at the same moment count one by one", async () => {
  const email = "parallel@example.org";
  const { user } = await withSecondFactor(email);
  const at = await firstStep(email);
  const mark = at.cookies.get(MARK) ?? "";
  await Promise.all(
    Array.from({ length: 12 }, (_, n) => {
      const one = site.browser();
      one.cookies.set(MARK, mark);
      return second(one, String(n).padStart(6, "0"));
    }),
  );
  const [row] = await site.sql`select failed_count from two_factors where user_id = ${user.id}`;
  assert.equal(row?.failed_count, 5);
});

test("a mark is good for ten minutes, once, for its own account, and not as a session", async () => {
  const [email, other] = ["marked@example.org", "other-marked@example.org"];
  const { secret, recovery } = await withSecondFactor(email);
  const { secret: others } = await withSecondFactor(other);
  const crossed = await firstStep(email);
  assert.equal((await second(crossed, totp(others, stepNow()))).status, 401, "another account's code");
  const mark = crossed.cookies.get(MARK) ?? "";
  crossed.cookies.set("spawnpoint_session", mark);
  assert.equal(await site.isSignedIn(crossed), false);
  crossed.cookies.delete("spawnpoint_session");
  assert.equal((await second(crossed, totp(secret, stepNow()))).status, 302);
  const again = site.browser();
  again.cookies.set(MARK, mark);
  assert.equal((await second(again, recovery, "recovery")).status, 401, "used");

  const late = await firstStep(email);
  await site.sql`update verifications set expires_at = now() - interval '1 s' where identifier like 'second-step:%'`;
  assert.equal((await second(late, recovery, "recovery")).status, 401, "over");
  const fresh = await firstStep(email);
  assert.equal((await second(fresh, recovery, "recovery")).status, 302, "the recovery code is unused");
});

test("a mark ends with the second factor, and a ban after the first step refuses the second", async () => {
  const email = "changed@example.org";
  const { user, secret } = await withSecondFactor(email);
  const banned = await firstStep(email);
  await site.sql`update users set banned_until = 'infinity' where user_id = ${user.id}`;
  assert.equal((await second(banned, totp(secret, stepNow()))).status, 403);
  assert.equal(await site.isSignedIn(banned), false);
  await site.sql`update users set banned_until = null where user_id = ${user.id}`;
  const at = await firstStep(email);
  await site.sql`delete from two_factors where user_id = ${user.id}`;
  assert.equal((await second(at, totp(secret, stepNow() + 1))).status, 401);
});
