/** An account of version 0.3.0 keeps working: its password, second factor, recovery codes, passkey, Discord account and session. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type AccountSite, startAccountSite } from "#tests/helpers/account-site.ts";
import { type Browser, createBrowser } from "#tests/helpers/browser.ts";
import { answerAsDiscord } from "#tests/helpers/discord/sign-in.ts";
import { answerLogin } from "#tests/helpers/software-passkey.ts";
import { stepNow, totp } from "#tests/helpers/totp.ts";
import stored from "./stored-account.json" with { type: "json" };

let site: AccountSite;
let discord: ReturnType<typeof answerAsDiscord>;

before(async () => {
  discord = answerAsDiscord();
  site = await startAccountSite({ AUTH_SECRET: stored.secret, ...discord.settings });
  for (const [table, rows] of Object.entries(stored.rows)) {
    await site.sql.unsafe(
      `insert into ${table} select * from json_populate_recordset(null::${table}, '${JSON.stringify(rows).replaceAll("'", "''")}')`,
    );
  }
  await site.sql`update sessions set created_at = now(), last_used_at = now(),
    expires_at = now() + interval '7 days', ends_at = now() + interval '30 days'`;
});

after(async () => {
  discord.stop();
  await site.stop();
});

/** A browser after the first step, by the password. */
async function afterPassword(): Promise<Browser> {
  const at = site.browser();
  const first = await site.signIn(at, stored.email, stored.password, "?next=/dashboard");
  assert.equal(first.location, "/two-factor?next=%2Fdashboard");
  assert.equal(await site.isSignedIn(at), false);
  return at;
}

test("the cookie of its browser is signed in, and each other token or seal isn't", async () => {
  const at = site.browser();
  for (const [name, value] of Object.entries(stored.cookies)) at.cookies.set(name, value);
  assert.equal(await site.isSignedIn(at), true);
  const [token = "", seal = ""] = stored.cookies.spawnpoint_session.split(".");
  for (const forged of [`${token.replace(/^./, "_")}.${seal}`, `${token}.${seal.replace(/^./, "_")}`]) {
    at.cookies.set("spawnpoint_session", forged);
    assert.equal(await site.isSignedIn(at), false, forged);
  }
});

test("its password, then a code of its authenticator app", async () => {
  const at = await afterPassword();
  const done = await at.post("/two-factor?next=/dashboard", { kind: "app", code: totp(stored.totp_secret, stepNow()) });
  assert.equal(done.location, "/dashboard");
  assert.equal(await site.isSignedIn(at), true);
});

test("its recovery codes, hashed with the site's secret before this one, once each", async () => {
  const [code = ""] = stored.recovery_codes;
  for (const status of [302, 401]) {
    const at = await afterPassword();
    assert.equal((await at.post("/two-factor", { kind: "recovery", code })).status, status);
    assert.equal(await site.isSignedIn(at), status === 302);
  }
});

test("its passkey", async () => {
  const origin = `http://localhost:${new URL(site.base).port}`;
  const at = createBrowser(origin, "198.18.200.1");
  const options = JSON.parse((await at.get("/api/auth/passkey/generate-authenticate-options")).text);
  const { relying_party: rpId, ...passkey } = stored.passkey;
  const response = answerLogin(passkey, options, { origin, rpId });
  assert.equal((await at.postJson("/api/auth/passkey/verify-authentication", { response })).status, 200);
  assert.equal(await site.isSignedIn(at), true);
});

test("its Discord account, then the second step", async () => {
  const at = site.browser();
  const away = await at.post("/api/auth/discord?next=/dashboard", {});
  const profile = { id: stored.discord_id, email: stored.email, verified: true };
  assert.equal(await discord.comeBack(at, profile, away.location), "/two-factor?next=%2Fdashboard");
  const code = stored.recovery_codes[1] ?? "";
  assert.equal((await at.post("/two-factor", { kind: "recovery", code })).status, 302);
  assert.equal(await site.isSignedIn(at), true);
});
