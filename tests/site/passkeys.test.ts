/** Passkeys through the front door, with an authenticator in software: what an answer is good for, and what is refused. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type AccountSite, startAccountSite } from "#tests/helpers/account-site.ts";
import { type Browser, createBrowser } from "#tests/helpers/browser.ts";
import { answerLogin, answerRegistration, createPasskey } from "#tests/helpers/software-passkey.ts";

const AT = "/api/auth/passkey";
let site: AccountSite;
let way: { origin: string; rpId: string };
let addresses = 0;

before(async () => {
  site = await startAccountSite();
  way = { origin: `http://localhost:${new URL(site.base).port}`, rpId: "localhost" };
});
after(() => site.stop());

/** A browser at the site's name, as passkeys need one. */
function browser(): Browser {
  addresses += 1;
  return createBrowser(way.origin, `198.18.210.${addresses}`);
}
async function signedIn(email: string) {
  const user = await site.member(email);
  const at = browser();
  assert.equal((await site.signIn(at, email)).status, 302);
  return { at, user };
}
const optionsFor = async (at: Browser, what: "authenticate" | "register") =>
  JSON.parse((await at.get(`${AT}/generate-${what}-options`)).text);
const register = (at: Browser, response: object) =>
  at.postJson(`${AT}/verify-registration`, { response, name: " Key " });
const login = (at: Browser, response: object) => at.postJson(`${AT}/verify-authentication`, { response });

/** A member with a passkey. */
async function withPasskey(email: string) {
  const { at, user } = await signedIn(email);
  const passkey = createPasskey();
  const made = await register(at, answerRegistration(passkey, await optionsFor(at, "register"), way));
  assert.equal(made.status, 200, made.text);
  return { at, user, passkey };
}
const keysOf = (userId: string) => site.sql`select name from passkeys where user_id = ${userId}`;

test("a passkey logs in, without the second step; the audit log and a mail name the new one", async () => {
  const { user, passkey } = await withPasskey("keys@example.org");
  assert.deepEqual(
    (await keysOf(user.id)).map(({ name }) => name),
    ["Key"],
  );
  assert.equal((await site.newestMail("keys@example.org")).data.what, "passkey-added");
  await site.sql`update users set two_factor_enabled = true where user_id = ${user.id}`;
  const at = browser();
  const done = await login(at, answerLogin(passkey, await optionsFor(at, "authenticate"), way));
  assert.deepEqual([done.status, done.text], [200, '{"ok":true}']);
  assert.equal(await site.isSignedIn(at), true);
  const whats =
    await site.sql`select what, details from audit_events where actor_id = ${user.id} order by event_id desc limit 1`;
  assert.deepEqual({ ...whats[0] }, { what: "sign-in", details: { by: "passkey" } });
});

test("requesting a challenge writes nothing, and asks a member for their own passkeys", async () => {
  const { at, passkey } = await withPasskey("asks@example.org");
  const count = async () => (await site.sql`select 1 from verifications`).length;
  const before = await count();
  assert.deepEqual((await optionsFor(browser(), "authenticate")).allowCredentials, undefined);
  const own = await optionsFor(at, "authenticate");
  assert.deepEqual([own.allowCredentials[0].id, own.userVerification], [passkey.id, "required"]);
  assert.equal((await optionsFor(at, "register")).excludeCredentials[0].id, passkey.id);
  assert.equal(await count(), before);
});

test("a challenge is good once, in the browser that requested it, for its own purpose and for five minutes", async (t) => {
  const { at: owner, passkey } = await withPasskey("once@example.org");
  const at = browser();
  const options = await optionsFor(at, "authenticate");
  const answer = answerLogin(passkey, options, way);
  const kept = new Map(at.cookies);
  assert.equal((await login(browser(), answer)).status, 401, "another browser");
  const other = browser();
  await optionsFor(other, "authenticate");
  assert.equal((await login(other, answer)).status, 401, "another browser's challenge");
  assert.equal((await login(at, answer)).status, 200);
  for (const [name, value] of kept) at.cookies.set(name, value);
  assert.equal((await login(at, answer)).status, 401, "again, with the cookie from before");

  const registration = await optionsFor(owner, "register");
  owner.cookies.set("spawnpoint_passkey_login", owner.cookies.get("spawnpoint_passkey_new") ?? "");
  assert.equal((await login(owner, answerLogin(passkey, registration, way))).status, 401, "the other purpose");

  const late = browser();
  const old = answerLogin(passkey, await optionsFor(late, "authenticate"), way);
  t.mock.timers.enable({ apis: ["Date"], now: Date.now() + 5 * 60_000 + 1_000 });
  assert.equal((await login(late, old)).status, 401, "too late");
});

test("of two answers to one challenge at the same moment, one logs in", async () => {
  const { passkey } = await withPasskey("twice@example.org");
  const at = browser();
  const answer = answerLogin(passkey, await optionsFor(at, "authenticate"), way);
  const twin = browser();
  for (const [name, value] of at.cookies) twin.cookies.set(name, value);
  const both = await Promise.all([login(at, answer), login(twin, answer)]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401]);
});

test("without the finger or the PIN, from another page, for another name, or by another key: refused", async () => {
  const { passkey } = await withPasskey("exact@example.org");
  const impostor = { ...createPasskey(), id: passkey.id };
  for (const [why, key, how] of [
    ["no check of the owner", passkey, { ...way, verified: false }],
    ["another page", passkey, { ...way, origin: "http://localhost.evil.example" }],
    ["another name", passkey, { ...way, rpId: "evil.example" }],
    ["another key", impostor, way],
    ["an unknown key", createPasskey(), way],
  ] as const) {
    const at = browser();
    assert.equal((await login(at, answerLogin(key, await optionsFor(at, "authenticate"), how))).status, 401, why);
    assert.equal(await site.isSignedIn(at), false, why);
  }
});

test("a copied authenticator, whose counter is behind, is refused", async () => {
  const { passkey } = await withPasskey("counts@example.org");
  for (const [counter, status] of [
    [5, 200],
    [5, 401],
    [4, 401],
    [6, 200],
  ] as const) {
    const at = browser();
    const answer = answerLogin(passkey, await optionsFor(at, "authenticate"), { ...way, counter });
    assert.equal((await login(at, answer)).status, status, String(counter));
  }
});

test("a banned or closed account gets no session", async () => {
  const { user, passkey } = await withPasskey("closed@example.org");
  for (const change of ["banned_until = 'infinity'", "banned_until = null, deactivated_at = now()"]) {
    await site.sql.unsafe(`update users set ${change} where user_id = '${user.id}'`);
    const at = browser();
    assert.equal(
      (await login(at, answerLogin(passkey, await optionsFor(at, "authenticate"), way))).status,
      403,
      change,
    );
    assert.equal(await site.isSignedIn(at), false, change);
  }
});

test("a new passkey is its challenge's member's alone, once, with a check of its owner", async () => {
  const { at, user } = await signedIn("adds@example.org");
  const { at: rival, user: other } = await signedIn("rival@example.org");
  const passkey = createPasskey();
  const options = await optionsFor(at, "register");
  const kept = new Map(at.cookies);
  const answer = answerRegistration(passkey, options, way);
  await optionsFor(rival, "register");
  rival.cookies.set("spawnpoint_passkey_new", at.cookies.get("spawnpoint_passkey_new") ?? "");
  assert.equal((await register(rival, answer)).status, 401, "another member's challenge");
  const unchecked = answerRegistration(passkey, options, { ...way, verified: false });
  assert.equal((await register(at, unchecked)).status, 401, "no check of the owner");
  const again = () => {
    for (const [name, value] of kept) at.cookies.set(name, value);
  };
  again();
  assert.equal((await register(at, answer)).status, 200);
  again();
  assert.equal((await register(at, answerRegistration(createPasskey(), options, way))).status, 401, "used");
  assert.equal((await keysOf(user.id)).length, 1);

  const taken = await register(rival, answerRegistration(passkey, await optionsFor(rival, "register"), way));
  assert.equal(taken.status, 401, "the same passkey in another account");
  assert.deepEqual([...(await keysOf(other.id))], []);
});

test("certificates of an authenticator's maker are refused before anything they name is requested", async (t) => {
  const { at, user } = await signedIn("certified@example.org");
  const requested = t.mock.method(globalThis, "fetch");
  for (const format of ["packed", "android-safetynet", "tpm", "apple", "fido-u2f", "android-key"]) {
    const answer = answerRegistration(createPasskey(), await optionsFor(at, "register"), way, { format, x5c: true });
    requested.mock.resetCalls();
    assert.equal((await register(at, answer)).status, 401, format);
    assert.equal(requested.mock.callCount(), 1, "the test's own request");
  }
  assert.deepEqual([...(await keysOf(user.id))], []);
});
