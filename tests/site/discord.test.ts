/** Signing in with Discord: who has not confirmed the address there gets nothing here by it. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type AccountSite, PASSWORD, startAccountSite } from "#tests/helpers/account-site.ts";
import type { Browser } from "#tests/helpers/browser.ts";
import { answerAsDiscord, type DiscordProfile } from "#tests/helpers/discord/sign-in.ts";

let site: AccountSite;
let discord: ReturnType<typeof answerAsDiscord>;

before(async () => {
  discord = answerAsDiscord();
  site = await startAccountSite(discord.settings);
});

after(async () => {
  discord.stop();
  await site.stop();
});

async function comeFromDiscord(given: DiscordProfile, at = site.browser()): Promise<{ at: Browser; to: string }> {
  const away = await at.post("/api/auth/discord?next=/dashboard", {});
  return { at, to: await discord.comeBack(at, given, away.location) };
}

test("with an address that is confirmed there one is signed in, and stays so with the same account", async () => {
  for (const _ of [1, 2]) {
    const { at, to } = await comeFromDiscord({ id: "1001", email: "gamer@example.org", verified: true });
    assert.equal(to, "/dashboard");
    assert.equal(await site.isSignedIn(at), true);
  }
  const rows = await site.sql`select 1 from users where email = 'gamer@example.org' and email_verified`;
  assert.equal(rows.length, 1);
});

test("the way to Discord begins by a form of the site alone, without script, and the page lets it lead there", async () => {
  const at = site.browser();
  const opened = await at.get("/api/auth/discord?next=/dashboard");
  const evil = { "Sec-Fetch-Site": "cross-site", Origin: "https://evil.example" };
  const lured = await at.post("/api/auth/discord?next=/dashboard", {}, evil);
  assert.deepEqual([opened.status, lured.status], [404, 403]);
  for (const { location, setCookies } of [opened, lured]) assert.deepEqual([location, setCookies], [null, []]);
  const page = await at.get("/login/?next=/dashboard");
  const action = /<form(?=[^>]* method="post")[^>]* action="(\/api\/auth\/discord\?next=%2Fdashboard)"/.exec(
    page.text,
  )?.[1];
  // Chromium holds where a form's answer leads against `form-action`, too.
  assert.match(String(page.headers.get("content-security-policy")), /form-action 'self' https:\/\/discord\.com(;|$)/);
  const away = await at.post(String(action), {});
  assert.equal(away.status, 303);
  assert.equal(new URL(String(away.location)).origin, "https://discord.com");
});

test("the second step is asked for all the same, and the session that the browser had ends", async () => {
  const person = { id: "2002", email: "careful@example.org", verified: true };
  const { at } = await comeFromDiscord(person);
  await site.sql`update users set two_factor_enabled = true where email = 'careful@example.org'`;
  const { to } = await comeFromDiscord(person, at);
  assert.equal(to, "/two-factor?next=%2Fdashboard");
  assert.equal(await site.isSignedIn(at), false);
  const rows = await site.sql`select 1 from sessions join users using (user_id) where email = 'careful@example.org'`;
  assert.equal(rows.length, 0);
});

test("with an address that nobody confirmed there is no session, and whether it is known here does not show", async () => {
  await site.member("owner@example.org");
  for (const email of ["owner@example.org", "unheard-of@example.org", "unheard-of@example.org"]) {
    const { at, to } = await comeFromDiscord({ id: email.length.toString(), email, verified: false });
    assert.equal(to, "/login/?refused=discord");
    assert.equal(await site.isSignedIn(at), false);
    const page = await at.get(to);
    assert.equal(page.status, 200);
    assert.match(page.text, /Discord couldn’t log you in/);
  }
  const rows =
    await site.sql`select 1 from sessions join users using (user_id) where email like '%owner%' or email like '%unheard%'`;
  assert.equal(rows.length, 0);
});

test("whoever owns the address gets the account, and Discord's stranger no part of it", async () => {
  await comeFromDiscord({ id: "3003", email: "claimed@example.org", verified: false });
  const owner = site.browser();
  await owner.post("/login/", { intent: "register", email: "claimed@example.org", password: PASSWORD });
  assert.equal((await owner.post(await site.linkTo("claimed@example.org"), {})).location, "/");
  const { at } = await comeFromDiscord({ id: "3003", email: "claimed@example.org", verified: false });
  assert.equal(await site.isSignedIn(at), false);
});

test("being sent to Discord writes nothing, and what comes back is bound to the browser that was sent there", async () => {
  const held = async () => {
    const [row] = await site.sql<{ n: number }[]>`select count(*)::int as n from verifications`;
    return row?.n;
  };
  const before = await held();
  const browsers = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const at = site.browser();
      const { location } = await at.post("/api/auth/discord", {});
      return { at, state: new URL(location ?? "").searchParams.get("state") };
    }),
  );
  assert.equal(await held(), before);
  discord.profile = { id: "4004", email: "lured@example.org", verified: true };
  const [one, other] = browsers;
  assert.ok(one && other);
  const tokens = discord.asked;
  for (const at of [site.browser(), other.at]) {
    const { location } = await at.get(`/api/auth/callback/discord?code=a-code&state=${one.state}`);
    assert.equal(location, "/login/?refused=discord");
    assert.equal(await site.isSignedIn(at), false);
  }
  assert.equal(discord.asked, tokens, "Discord is not asked");
  const back = await one.at.get(`/api/auth/callback/discord?code=a-code&state=${one.state}`);
  assert.equal(back.status, 302);
  assert.equal(await site.isSignedIn(one.at), true);
  const again = await one.at.get(`/api/auth/callback/discord?code=a-code&state=${one.state}`);
  assert.equal(again.location, "/login/?refused=discord", "a state counts once");
});

test("one address has the site ask Discord about so many codes and no more, and another is not kept out by it", async () => {
  const nonsense = { id: "5005", email: "asks@example.org", verified: false };
  const before = discord.asked;
  for (let n = 0; n < 62; n += 1) await comeFromDiscord(nonsense, site.browser("203.0.113.5"));
  assert.equal(discord.asked - before, 60);
  const { to } = await comeFromDiscord({ id: "6006", email: "else@example.org", verified: true });
  assert.equal(to, "/dashboard");
});
