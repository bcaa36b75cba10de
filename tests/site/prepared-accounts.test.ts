/** Nobody gets into an account that a stranger prepared with their address, and the stranger gets in least of all. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type AccountSite, PASSWORD, startAccountSite } from "#tests/helpers/account-site.ts";
import type { Browser } from "#tests/helpers/browser.ts";

const STRANGERS = "a stranger beside the lamp";
let site: AccountSite;

before(async () => {
  site = await startAccountSite();
});

after(() => site.stop());

async function register(at: Browser, email: string, password: string): Promise<void> {
  assert.equal((await at.post("/login/", { intent: "register", email, password })).status, 200);
}

/** Nothing that the stranger has, or had prepared, is worth anything. */
async function strangerIsOut(stranger: Browser, email: string): Promise<void> {
  assert.equal((await site.signIn(site.browser(), email, STRANGERS)).status, 401);
  assert.equal((await site.signIn(stranger, email, STRANGERS)).status, 401);
  assert.equal(await site.isSignedIn(stranger), false);
}

/** What an account can hold besides a password, put there as somebody may have while the address was not confirmed. */
async function prepareOtherWaysIn(email: string): Promise<void> {
  await site.sql.unsafe(
    `
    with one as (select user_id from users where email = '${email}'),
    a as (insert into accounts (user_id, provider, provider_account_id) select user_id, 'discord', user_id::text from one),
    s as (insert into sessions (user_id, token_hash, expires_at) select user_id, 'hash of ' || user_id, now() + '1 day' from one),
    f as (insert into two_factors (user_id, secret, recovery_codes) select user_id, 'x', '[]' from one),
    p as (insert into passkeys (user_id, public_key, credential_id, counter, device_type, backed_up)
      select user_id, 'x', user_id::text, 0, 'singleDevice', false from one)
    update users set two_factor_enabled = true where email = '${email}'`,
  );
}

async function waysIn(email: string): Promise<string[]> {
  const rows = await site.sql<{ way: string }[]>`
    with one as (select user_id from users where email = ${email})
    select provider as way from accounts where user_id in (table one)
    union all select 'session' from sessions where user_id in (table one) and token_hash like 'hash of%'
    union all select 'second factor' from two_factors where user_id in (table one)
    union all select 'second factor on' from users where user_id in (table one) and two_factor_enabled
    union all select 'passkey' from passkeys where user_id in (table one)`;
  return rows.map(({ way }) => way);
}

// Side by side, for each of them mostly waits for the time that all answers take.
describe("a prepared account", { concurrency: true }, () => {
  test("whoever registers a prepared address gets their own password, by their own link, and the stranger is out", async () => {
    const [stranger, owner] = [site.browser(), site.browser()];
    await register(stranger, "prepared@example.org", STRANGERS);
    await prepareOtherWaysIn("prepared@example.org");
    await register(owner, "prepared@example.org", PASSWORD);
    assert.deepEqual(await waysIn("prepared@example.org"), ["credential"]);
    const confirmed = await owner.post(await site.linkTo("prepared@example.org"), {});
    assert.equal(confirmed.location, "/");
    assert.equal(await site.isSignedIn(owner), true);
    await strangerIsOut(stranger, "prepared@example.org");
    assert.equal((await site.signIn(site.browser(), "prepared@example.org")).status, 302);
  });

  test("a stranger who registers last gains nothing: the owner's link is void, and the new one asks for a password", async () => {
    const [stranger, owner] = [site.browser(), site.browser()];
    await register(owner, "overtaken@example.org", PASSWORD);
    const first = await site.linkTo("overtaken@example.org");
    await register(stranger, "overtaken@example.org", STRANGERS);
    assert.equal((await owner.post(first, {})).status, 410);
    const answer = await owner.post(await site.linkTo("overtaken@example.org"), {});
    assert.equal(answer.status, 200);
    assert.equal(await site.isSignedIn(owner), false);
    assert.deepEqual(await waysIn("overtaken@example.org"), []);
    await strangerIsOut(stranger, "overtaken@example.org");
    const [choose] = /\/reset-password\?token=[\w-]+/.exec(answer.text) ?? [];
    assert.ok(choose, "the page leads on to a password");
    assert.equal((await owner.post(choose, { password: PASSWORD })).status, 200);
    assert.equal((await site.signIn(owner, "overtaken@example.org")).status, 302);
  });

  test("a stranger's try to sign in before the owner confirms does not make the link theirs", async () => {
    const [stranger, owner] = [site.browser(), site.browser()];
    await register(stranger, "tried@example.org", STRANGERS);
    assert.equal((await site.signIn(stranger, "tried@example.org", STRANGERS)).status, 403);
    const answer = await owner.post(await site.linkTo("tried@example.org"), {});
    assert.match(answer.text, /reset-password/);
    await strangerIsOut(stranger, "tried@example.org");
  });

  test("a new link after a sign-in still knows the browser that signed up", async () => {
    const at = site.browser();
    await register(at, "again@example.org", PASSWORD);
    assert.equal((await site.signIn(at, "again@example.org")).status, 403);
    assert.equal((await at.post(await site.linkTo("again@example.org"), {})).location, "/");
    assert.equal((await site.signIn(site.browser(), "again@example.org")).status, 302);
  });

  test("confirming by a mailed code leaves nothing of what was prepared", async () => {
    const [stranger, owner] = [site.browser(), site.browser()];
    await register(stranger, "coded@example.org", STRANGERS);
    const link = await site.linkTo("coded@example.org");
    await prepareOtherWaysIn("coded@example.org");
    await owner.post("/sign-in-code", { email: "coded@example.org" });
    const code = String((await site.newestMail("coded@example.org")).data.code);
    assert.equal((await owner.post("/sign-in-code", { email: "coded@example.org", code })).location, "/");
    assert.equal(await site.isSignedIn(owner), true);
    assert.deepEqual(await waysIn("coded@example.org"), []);
    await strangerIsOut(stranger, "coded@example.org");
    assert.equal((await stranger.post(link, {})).status, 410, "the link of the sign-up is void");
  });

  test("confirming by a mailed code in the browser that signed up keeps its password", async () => {
    const at = site.browser();
    await register(at, "mine@example.org", PASSWORD);
    await at.post("/sign-in-code", { email: "mine@example.org" });
    const code = String((await site.newestMail("mine@example.org")).data.code);
    assert.equal((await at.post("/sign-in-code", { email: "mine@example.org", code })).location, "/");
    assert.equal((await site.signIn(site.browser(), "mine@example.org")).status, 302);
  });

  test("confirming by a link for a new password leaves that password alone", async () => {
    const [stranger, owner] = [site.browser(), site.browser()];
    await register(stranger, "reset@example.org", STRANGERS);
    await prepareOtherWaysIn("reset@example.org");
    await owner.post("/forgot-password", { email: "reset@example.org" });
    assert.equal((await owner.post(await site.linkTo("reset@example.org"), { password: PASSWORD })).status, 200);
    assert.deepEqual(await waysIn("reset@example.org"), ["credential"]);
    await strangerIsOut(stranger, "reset@example.org");
    assert.equal((await site.signIn(owner, "reset@example.org")).status, 302);
  });

  test("a link from before this rule, or a mark made up, is no sign-up's", async () => {
    const at = site.browser();
    await register(at, "older@example.org", PASSWORD);
    await site.sql`
    update verifications set value = (value::jsonb - 'sign_up')::text where value like '%older@example.org%'`;
    assert.match((await at.post(await site.linkTo("older@example.org"), {})).text, /reset-password/);
    const forger = site.browser();
    await register(site.browser(), "forged@example.org", PASSWORD);
    forger.cookies.set("spawnpoint_sign_up", "a".repeat(22));
    assert.match((await forger.post(await site.linkTo("forged@example.org"), {})).text, /reset-password/);
  });

  test("sign-ups of one address at the same moment: whichever password stays, its own browser alone brings it along", async () => {
    await register(site.browser(), "raced@example.org", STRANGERS);
    const browsers = Array.from({ length: 4 }, (_, n) => ({ at: site.browser(), password: `lamp number ${n} here` }));
    await Promise.all(browsers.map(({ at, password }) => register(at, "raced@example.org", password)));
    const [{ n } = { n: 0 }] = await site.sql<{ n: number }[]>`
    select count(*)::int as n from verifications where identifier like 'verify-email:%' and value like '%raced@example.org%'`;
    assert.equal(n, 1, "one link is good");
    const link = await site.linkTo("raced@example.org");
    const owner = browsers[0];
    assert.ok(owner);
    const answer = await owner.at.post(link, {});
    const own = answer.status === 302;
    for (const { password } of browsers) {
      const { status } = await site.signIn(site.browser(), "raced@example.org", password);
      assert.equal(status, own && password === owner.password ? 302 : 401, password);
    }
  });
});
