/** The second factor through the front door: asked for after every way in, each code once, recovery codes once. */
import assert from "node:assert/strict";
import { after, before, mock, test } from "node:test";
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { pino } from "pino";
import { listPasskeys } from "#domain/accounts/passkeys.ts";
import { sweepBegunSecondFactors } from "#domain/accounts/second-factors.ts";
import { sealSecret } from "#domain/accounts/secret-seal.ts";
import { findMemberByToken, type Member } from "#domain/accounts/sessions.ts";
import { type AccountSite, PASSWORD, startAccountSite } from "#tests/helpers/account-site.ts";
import type { Browser } from "#tests/helpers/browser.ts";
import { stepNow, totp } from "#tests/helpers/totp.ts";
import type { AppParts } from "../context.ts";
import { createRateLimits } from "../request/rate-limits.ts";
import { authEndpoints } from "./auth-endpoints.ts";
import { changePassword, requestEmailChange } from "./auth-settings.ts";
import { confirmTotp, disableTotp, remakeRecoveryCodes, startTotp } from "./second-factor.ts";

const SECRET = "a secret of the test that is long enough";
const VISIT = { ip: "198.51.100.9", user_agent: "test" };
let site: AccountSite;
let app: AppParts;

before(async () => {
  site = await startAccountSite({ AUTH_SECRET: SECRET });
  const log = pino({ level: "silent" });
  const { db } = site.database;
  const parts = { db, limits: createRateLimits(db), siteUrl: site.base, secret: SECRET, providers: [], log };
  app = parts as Partial<AppParts> as AppParts;
});

after(() => site.stop());

const tokenOf = (at: Browser) => decodeURIComponent(at.cookies.get("spawnpoint_session") ?? "").split(".")[0] ?? "";
async function memberOf(at: Browser): Promise<Member> {
  const found = await findMemberByToken(app.db, tokenOf(at));
  assert.ok(found);
  return found;
}
const requestOf = (at: Browser) =>
  new Request(site.base, { headers: { Cookie: [...at.cookies].map((pair) => pair.join("=")).join("; ") } });

/** Somebody whose second factor is on, turned on with the code of the step before this one. */
async function withSecondFactor(email: string) {
  const { at, user } = await site.signedIn(email);
  const member = await memberOf(at);
  const begun = await startTotp(app, member);
  assert.ok(begun);
  assert.deepEqual(await confirmTotp(app, requestOf(at), VISIT, member, "000000"), {
    ok: false,
    status: 401,
    reason: "code",
  });
  const done = await confirmTotp(app, requestOf(at), VISIT, member, totp(begun.secret, stepNow() - 1));
  assert.equal(done.ok, true);
  return { user, ...begun };
}

test("nothing of it is kept in the clear, and it is asked for only once a first code was right", async () => {
  const { at, user } = await site.signedIn("begun@example.org");
  const begun = await startTotp(app, await memberOf(at));
  assert.ok(begun);
  assert.match(begun.uri, /^otpauth:\/\/totp\/.*secret=[A-Z2-7]+/);
  assert.equal(begun.recovery_codes.length, 10);
  const [row] = await site.sql`select * from two_factors where user_id = ${user.id}`;
  for (const secret of [
    begun.secret,
    ...begun.recovery_codes,
    ...begun.recovery_codes.map((c) => c.replace("-", "")),
  ]) {
    assert.ok(!JSON.stringify(row).includes(secret));
  }
  assert.equal((await site.signIn(site.browser(), "begun@example.org")).location, "/", "not yet");
});

test("an authenticator app is told the site's name as it is now", async () => {
  const { at } = await site.signedIn("named@example.org");
  await site.sql`insert into site_settings (setting_key, setting_value) values ('site_name', '"The Lighthouse"')`;
  const begun = await startTotp(app, await memberOf(at));
  await site.sql`delete from site_settings where setting_key = 'site_name'`;
  assert.equal(new URL(String(begun?.uri)).searchParams.get("issuer"), "The Lighthouse");
});

test("after the password comes the code: wrong, used and older ones are refused, a fresh one signs in", async () => {
  const { user, secret } = await withSecondFactor("second@example.org");
  const at = site.browser();
  const first = await site.signIn(at, "second@example.org", PASSWORD, "?next=/dashboard");
  assert.equal(first.location, "/two-factor?next=%2Fdashboard");
  assert.equal(await site.isSignedIn(at), false);
  const [sessions] = await site.sql`select count(*)::int as n from sessions where user_id = ${user.id}`;
  assert.equal(sessions?.n, 1, "the first step leaves no session behind");

  const wrong = await at.post("/two-factor", { kind: "app", code: "123456" });
  assert.equal(wrong.status, 401);
  assert.match(wrong.text, /Login failed\. This code is wrong, used or expired\./);
  const now = stepNow();
  const right = await at.post("/two-factor?next=/dashboard", { kind: "app", code: totp(secret, now) });
  assert.equal(right.location, "/dashboard");
  assert.equal(await site.isSignedIn(at), true);

  for (const step of [now, now - 1]) {
    const replay = site.browser();
    await site.signIn(replay, "second@example.org");
    assert.equal((await replay.post("/two-factor", { kind: "app", code: totp(secret, step) })).status, 401);
    assert.equal(await site.isSignedIn(replay), false);
    assert.equal(replay.cookies.has("spawnpoint_session"), false);
  }
});

test("the first step ends the session that the browser had, whose cookie it takes", async () => {
  const { user, secret } = await withSecondFactor("anew@example.org");
  const count = async () => (await site.sql`select 1 from sessions where user_id = ${user.id}`).length;
  const at = site.browser();
  await site.signIn(at, "anew@example.org");
  const ways = [
    () => site.signIn(at, "anew@example.org"),
    async () => {
      await at.post("/sign-in-code", { email: "anew@example.org" });
      const { code } = (await site.newestMail("anew@example.org")).data;
      return at.post("/sign-in-code", { email: "anew@example.org", code: String(code) });
    },
  ];
  for (const [n, firstStep] of ways.entries()) {
    await at.post("/two-factor", { kind: "app", code: totp(secret, stepNow() + n) });
    assert.equal(await site.isSignedIn(at), true);
    assert.equal(await count(), 2);
    await firstStep();
    assert.equal(await count(), 1);
  }
});

test("of two uses of one code at the same moment, one signs in", async () => {
  const { secret } = await withSecondFactor("both@example.org");
  const both = [site.browser(), site.browser()];
  for (const at of both) await site.signIn(at, "both@example.org");
  const code = totp(secret, stepNow());
  const answers = await Promise.all(both.map((at) => at.post("/two-factor", { kind: "app", code })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [302, 401]);
});

test("a code from the mailbox does not get around it", async () => {
  await withSecondFactor("mailbox@example.org");
  const at = site.browser();
  await at.post("/sign-in-code", { email: "mailbox@example.org" });
  const code = String((await site.newestMail("mailbox@example.org")).data.code);
  assert.match(
    String((await at.post("/sign-in-code", { email: "mailbox@example.org", code })).location),
    /^\/two-factor/,
  );
  assert.equal(await site.isSignedIn(at), false);
});

test("a recovery code works once; new ones make the old ones void; off is off", async () => {
  const { user, recovery_codes } = await withSecondFactor("recovery@example.org");
  const [code = "", other = ""] = recovery_codes;
  const at = site.browser();
  await site.signIn(at, "recovery@example.org");
  assert.equal((await at.post("/two-factor", { kind: "recovery", code: "aaaaa-aaaaa" })).status, 401);
  assert.equal((await at.post("/two-factor", { kind: "recovery", code: ` ${code.toUpperCase()} ` })).location, "/");
  const again = site.browser();
  await site.signIn(again, "recovery@example.org");
  assert.equal((await again.post("/two-factor", { kind: "recovery", code })).status, 401);

  const member = await memberOf(at);
  assert.equal((await remakeRecoveryCodes(app, VISIT, member))?.length, 10);
  assert.equal((await again.post("/two-factor", { kind: "recovery", code: other })).status, 401);
  await disableTotp(app, VISIT, member);
  assert.equal((await site.signIn(site.browser(), "recovery@example.org")).location, "/");
  const events = await site.sql`select distinct what from audit_events where actor_id = ${user.id}`;
  for (const what of ["second-factor-on", "second-factor-off", "recovery-codes-made"]) {
    assert.ok(
      events.some((event) => event.what === what),
      what,
    );
  }
});

test("what another secret sealed is a refusal, at the sign-in and while it is set up", async () => {
  const { user, secret } = await withSecondFactor("resealed@example.org");
  const { at, user: other } = await site.signedIn("half-sealed@example.org");
  const member = await memberOf(at);
  const begun = await startTotp(app, member);
  assert.ok(begun);
  const sealed = sealSecret("the secret of before", secret);
  await site.sql`update two_factors set secret = ${sealed} where user_id in (${user.id}, ${other.id})`;
  const half = await confirmTotp(app, requestOf(at), VISIT, member, totp(begun.secret, stepNow()));
  assert.deepEqual(half, { ok: false, status: 401, reason: "code" });
  const locked = site.browser();
  await site.signIn(locked, "resealed@example.org");
  assert.equal((await locked.post("/two-factor", { kind: "app", code: totp(secret, stepNow()) })).status, 401);
  const [row] =
    await site.sql`select details from audit_events where what = 'sign-in-failed' order by event_id desc limit 1`;
  assert.deepEqual(row?.details, { code: "SEALED_BY_ANOTHER_SECRET" });
});

test("without a first step the second leads nowhere, and guesses end after five", async () => {
  assert.equal((await site.browser().post("/two-factor", { kind: "app", code: "123456" })).status, 401);
  const { secret } = await withSecondFactor("guessed@example.org");
  const at = site.browser();
  await site.signIn(at, "guessed@example.org");
  for (let guess = 0; guess < 6; guess += 1) await at.post("/two-factor", { kind: "app", code: `00000${guess}` });
  assert.equal((await at.post("/two-factor", { kind: "app", code: totp(secret, stepNow()) })).status, 401);
});

test("a running session is no first step: by it no code turns anything on, is tried out or makes the session young", async () => {
  const { at, user } = await site.signedIn("borrowed@example.org");
  const begun = await startTotp(app, await memberOf(at));
  assert.ok(begun);
  await site.sql`update sessions set created_at = now() - interval '1 day' where user_id = ${user.id}`;
  const token = tokenOf(at);
  assert.equal((await at.post("/two-factor", { kind: "app", code: totp(begun.secret, stepNow()) })).status, 401);
  assert.equal((await at.post("/two-factor", { kind: "recovery", code: begun.recovery_codes[0] ?? "" })).status, 401);
  const [after] = await site.sql`select two_factor_enabled as on, verified from users
    join two_factors using (user_id) where user_id = ${user.id}`;
  assert.deepEqual({ ...after }, { on: false, verified: false });
  assert.equal(tokenOf(at), token);
  assert.equal((await memberOf(at)).fresh, false);

  const { user: other, secret } = await withSecondFactor("borrowed-too@example.org");
  const running = site.browser();
  await site.signIn(running, "borrowed-too@example.org");
  assert.ok((await running.post("/two-factor", { kind: "app", code: totp(secret, stepNow()) })).location);
  await site.sql`update two_factors set last_used_step = null where user_id = ${other.id}`;
  assert.equal((await running.post("/two-factor", { kind: "app", code: totp(secret, stepNow() + 1) })).status, 401);
  assert.equal(await site.isSignedIn(running), true);
});

test("what was begun and never turned on goes once no session of the last day is left", async () => {
  const { user } = await site.signedIn("half-way@example.org");
  const { user: on } = await withSecondFactor("all-the-way@example.org");
  await site.sql`insert into two_factors (user_id, secret, recovery_codes) values (${user.id}, 'sealed', '[]')`;
  const left = async () =>
    (await site.sql`select user_id from two_factors where user_id in (${user.id}, ${on.id})`).map((row) => row.user_id);
  await sweepBegunSecondFactors(app.db);
  assert.equal((await left()).length, 2);
  await site.sql`update sessions set created_at = now() - interval '25 hours' where user_id in (${user.id}, ${on.id})`;
  await sweepBegunSecondFactors(app.db);
  assert.deepEqual(await left(), [on.id]);
});

test("a new password ends all other sessions and gives this one another token", async () => {
  const { at, user } = await site.signedIn("changes@example.org");
  const elsewhere = site.browser();
  await site.signIn(elsewhere, "changes@example.org");
  const member = await memberOf(at);
  const change = (current: string, next: string) =>
    changePassword(app, requestOf(at), VISIT, member, { current, next });
  assert.deepEqual(await change("wrong", "another harbour lamp"), { ok: false, status: 401, reason: "wrong" });
  assert.deepEqual(await change(PASSWORD, "password"), { ok: false, status: 422, reason: "common" });
  const before = tokenOf(at);
  const done = await change(PASSWORD, "another harbour lamp");
  assert.ok(done.ok);
  assert.match(String(done.headers.getSetCookie()), /spawnpoint_session=/);
  assert.ok(!String(done.headers.getSetCookie()).includes(before));
  assert.equal(await site.isSignedIn(elsewhere), false);
  assert.equal(await findMemberByToken(app.db, before), null);
  const [row] = await site.sql`select count(*)::int as n from sessions where user_id = ${user.id}`;
  assert.equal(row?.n, 1);
  assert.equal((await site.newestMail("changes@example.org")).data.what, "password-changed");
});

test("a change of address to one's own, or to one that is taken: the first is refused, the second shows by nothing", async () => {
  const { at } = await site.signedIn("moves@example.org");
  await site.member("taken@example.org");
  const member = await memberOf(at);
  assert.deepEqual(await requestEmailChange(app, VISIT, member, "moves@example.org"), {
    ok: false,
    status: 400,
    reason: "email",
  });
  assert.deepEqual(await requestEmailChange(app, VISIT, member, "taken@example.org"), { ok: true });
  await assert.rejects(site.newestMail("taken@example.org"), /no mail/);
});

test("one member mails ten addresses a day at most, and one address gets five of all members", async () => {
  const member = await memberOf((await site.signedIn("mailer@example.org")).at);
  const ask = (who: Member, email: string) => requestEmailChange(app, VISIT, who, email);
  const asked = await Promise.all(
    Array.from({ length: 12 }, (_, n) => ask(member, n < 4 ? "stranger@example.net" : `stranger-${n}@example.net`)),
  );
  assert.equal(asked.filter(({ ok }) => ok).length, 10);
  await site.sql`update rate_limits set expires_at = expires_at - interval '16 min'`;
  const later = await ask(member, "stranger-15@example.net");
  assert.ok(!later.ok && later.reason === "limit" && later.wait_s > 23 * 3600);

  const others = await Promise.all(
    ["first", "second"].map(async (name) => memberOf((await site.signedIn(`${name}-mailer@example.org`)).at)),
  );
  const mails = [member, ...others.flatMap((other) => [other, other, other])];
  const sixfold = await Promise.all(mails.map((who) => ask(who, "wanted@example.net")));
  assert.equal(sixfold.filter(({ ok }) => ok).length, 5, "whoever may no longer ask spends nothing of it");
});

test("a passkey is made for the site's name as it is now", async () => {
  const { at } = await site.signedIn("key-named@example.org");
  await site.sql`insert into site_settings (setting_key, setting_value) values ('site_name', '"The Lighthouse"')`;
  const options = JSON.parse((await at.get("/api/auth/passkey/generate-register-options")).text);
  await site.sql`delete from site_settings where setting_key = 'site_name'`;
  assert.equal(options.rp.name, "The Lighthouse");
});

test("of the account library, only passkeys answer to a browser, and only to a fresh session", async () => {
  for (const path of [
    "sign-in/email",
    "sign-up/email",
    "get-session",
    "list-sessions",
    "two-factor/disable",
    "spawnpoint/sign-in-proven",
    "passkey/delete-passkey",
    "passkey/list-user-passkeys",
    "ok",
    "error",
    "callback/discord",
    "discord",
    "discord/link",
  ]) {
    for (const method of ["GET", "POST"]) {
      const { status } = await fetch(`${site.base}/api/auth/${path}`, { method, redirect: "manual" });
      assert.equal(status, 404, `${method} ${path}`);
    }
  }
  assert.equal((await site.browser().get("/api/auth/passkey/generate-register-options")).status, 401);
  const { at, user } = await site.signedIn("keys@example.org");
  assert.equal((await at.get("/api/auth/passkey/generate-register-options")).status, 200);
  await site.sql`update sessions set created_at = now() - interval '16 min' where user_id = ${user.id}`;
  assert.equal((await at.get("/api/auth/passkey/generate-register-options")).status, 403);
  const options = await site.browser().get("/api/auth/passkey/generate-authenticate-options");
  assert.equal(options.status, 200);
  assert.equal(options.headers.get("cache-control"), "no-store");
  assert.match(options.text, /"challenge"/);
  const forged = await at.post("/api/auth/passkey/verify-authentication", {});
  assert.equal(forged.status, 400);
  assert.doesNotMatch(forged.text, /token/);
  assert.deepEqual(await listPasskeys(app.db, user.id), []);
});

test("nonsense in place of a passkey is refused in words, and no stranger fills the log with it", async () => {
  const written: string[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void written.push(line) });
  const addresses = { linkOrigin: () => site.base } as unknown as AppParts["addresses"];
  const loud = { ...app, log, addresses };
  const endpoints = new Hono<{ Bindings: HttpBindings }>().route(
    "/api/auth",
    authEndpoints(
      loud,
      0,
      () => new Response(null, { status: 413 }),
      (_, next) => next(),
    ),
  );
  const printed = mock.method(console, "error", () => {});
  const { at } = await site.signedIn("nonsense@example.org");
  const cookies = new Map(at.cookies);
  const ask = async (path: string, body?: string) => {
    const answer = await endpoints.request(
      `${site.base}/api/auth/passkey/${path}`,
      {
        method: body === undefined ? "GET" : "POST",
        headers: { Cookie: [...cookies].map((pair) => pair.join("=")).join("; "), "Sec-Fetch-Site": "same-origin" },
        ...(body === undefined ? {} : { body }),
      },
      { incoming: { headers: {}, socket: { remoteAddress: "198.51.100.77" } } },
    );
    for (const [, name, value] of answer.headers.getSetCookie().map((line) => /^([^=]+)=([^;]*)/.exec(line) ?? []))
      cookies.set(name ?? "", value ?? "");
    return answer;
  };
  const bytes = Buffer.from("nonsense").toString("base64url");
  const key = (response: object) => ({ id: bytes, rawId: bytes, type: "public-key", response });
  const answers = {
    "verify-authentication": { clientDataJSON: bytes, authenticatorData: bytes, signature: bytes },
    "verify-registration": { clientDataJSON: bytes, attestationObject: bytes },
  };
  for (const [path, response] of Object.entries(answers)) {
    for (const body of [
      ...["", "{", "null", "[]", '"x"', "{}", '{"response":null}', "\u0000", "x".repeat(5_000)],
      JSON.stringify({ response: key({}) }),
      JSON.stringify({ response: { ...key(response), id: 7 } }),
      JSON.stringify({ response: key({ ...response, transports: "usb", signature: { a: 1 }, attestationObject: [] }) }),
      JSON.stringify({ response: key({ ...response, clientDataJSON: "not base64url!" }) }),
    ]) {
      const answer = await ask(path, body);
      assert.equal(answer.status, 400, `${path} ${body.slice(0, 60)}`);
      assert.match((await answer.json()).error, /not what a browser says/);
    }
    // Well-formed nonsense reaches the library, with a challenge of its own and without.
    for (const options of [null, path.replace("verify-registration", "generate-register-options")]) {
      if (options) await ask(options.replace("verify-authentication", "generate-authenticate-options"));
      assert.equal((await ask(path, JSON.stringify({ response: key(response) }))).status, 401, `${path} ${options}`);
    }
  }
  printed.mock.restore();
  assert.deepEqual(written, []);
  assert.equal(printed.mock.callCount(), 0);
});
