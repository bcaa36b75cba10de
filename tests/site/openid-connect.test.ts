/** Login with an OpenID Connect provider, which is not ours: who gets in, who is refused, and what a return is good for. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Person, startOpenIdProvider } from "#tests/heavy/openid-provider.ts";
import { type AccountSite, startAccountSite } from "#tests/helpers/account-site.ts";
import type { Browser } from "#tests/helpers/browser.ts";

const SECURITY = "/user/settings/security";
const LINK = `/api/auth/oidc/link?next=${SECURITY}`;
const REFUSED = "/login/?refused=oidc";
let site: AccountSite;
let provider: Awaited<ReturnType<typeof startOpenIdProvider>>;

before(async () => {
  provider = await startOpenIdProvider(() => [`${site.base}/api/auth/callback/oidc`]);
  site = await startAccountSite(provider.settings);
});

after(async () => {
  await site.stop();
  await provider.stop();
});

/** Posts one of the two forms that lead there; resolves to where the page that answers leads on. */
async function leave(at: Browser, by = "/api/auth/oidc?next=/dashboard"): Promise<string> {
  const page = await at.post(by, {});
  assert.equal(page.status, 200, page.text);
  const to = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(page.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
  assert.ok(to.startsWith(`${provider.issuer}/`), page.text);
  return to;
}
const comeBack = async (at: Browser, url: string) => {
  const { pathname, search } = new URL(url);
  const { location } = await at.get(pathname + search);
  return String(location);
};
async function logIn(person: Person, at = site.browser(), by?: string) {
  const to = await comeBack(at, await provider.goThrough(person, await leave(at, by)));
  return { at, to };
}
const linksOf = async (userId: string) =>
  (await site.sql`select provider_account_id as id from accounts where user_id = ${userId} and provider = 'oidc'`).map(
    ({ id }) => String(id),
  );

test("a confirmed address that nobody has makes an account, and the same person comes back to it", async () => {
  for (const email of ["Sailor@example.org", "moved@example.org"]) {
    const { at, to } = await logIn({ sub: "one", email, email_verified: true });
    assert.equal(to, "/dashboard");
    assert.equal(await site.isSignedIn(at), true);
  }
  const rows = await site.sql`select email, provider_account_id, access_token, id_token from users
    join accounts using (user_id) where provider = 'oidc'`;
  const account = { provider_account_id: `${provider.issuer} one`, access_token: null, id_token: null };
  assert.deepEqual(
    [...rows].map((row) => ({ ...row })),
    [{ email: "sailor@example.org", ...account }],
  );
});

test("the button has the provider's name, and the page that leads on names it without script", async () => {
  const page = await site.browser().get("/de/login/?next=/de/dashboard");
  assert.match(page.text, /action="\/api\/auth\/oidc\?next=%2Fde%2Fdashboard"/);
  assert.match(page.text, /Weiter mit Harbour ID/);
  const answer = await site.browser().post("/api/auth/oidc?next=/de/dashboard", {});
  assert.match(answer.text, /<html lang="de">[\s\S]*<a href="[^"]+">Weiter mit Harbour ID<\/a>/);
  assert.equal(answer.headers.get("cache-control"), "no-store");
  const to = new URL(await leave(site.browser()));
  for (const name of ["state", "nonce", "code_challenge"])
    assert.ok((to.searchParams.get(name) ?? "").length > 40, name);
  assert.deepEqual([to.searchParams.get("prompt"), to.searchParams.get("code_challenge_method")], [null, "S256"]);
});

test("it begins by a form of the site alone", async () => {
  const { at } = await site.signedIn("deliberate@example.org");
  const evil = { "Sec-Fetch-Site": "cross-site", Origin: "https://evil.example" };
  for (const path of ["/api/auth/oidc", LINK]) {
    const [opened, lured] = [await at.get(path), await at.post(path, {}, evil)];
    assert.deepEqual([opened.status, lured.status], [404, 403]);
    for (const { setCookies } of [opened, lured]) assert.deepEqual(setCookies, []);
  }
});

test("an address that isn't confirmed there, or has an account here, is refused, and which of both doesn't show", async () => {
  await site.member("owner@example.org");
  for (const [n, claims] of [
    { email: "owner@example.org", email_verified: true },
    { email: "owner@example.org", email_verified: false },
    { email: "new@example.org", email_verified: false },
    { email: "new@example.org", email_verified: "false" },
    { email: "new@example.org" },
    { email_verified: true },
    { email: "no address", email_verified: true },
  ].entries()) {
    const { at, to } = await logIn({ sub: `refused-${n}`, ...claims });
    assert.equal(to, REFUSED, JSON.stringify(claims));
    assert.equal(await site.isSignedIn(at), false);
    assert.match((await at.get(to)).text, /Harbour ID couldn’t log you in/);
  }
  assert.equal((await site.sql`select 1 from users where email = 'new@example.org'`).length, 0);
});

test("a site that takes no sign-ups makes no account", async () => {
  for (const registration of ["closed", "invitation"]) {
    await site.sql`insert into site_settings (setting_key, setting_value) values ('registration', ${JSON.stringify(registration)}::jsonb)
      on conflict (setting_key) do update set setting_value = excluded.setting_value`;
    assert.equal((await logIn({ sub: "late", email: "late@example.org", email_verified: true })).to, REFUSED);
  }
  await site.sql`delete from site_settings where setting_key = 'registration'`;
});

test("a return is good once, and in the browser that was sent away, with its state and nonce", async () => {
  const person = { sub: "bound", email: "bound@example.org", email_verified: true };
  const at = site.browser();
  const back = await provider.goThrough(person, await leave(at));
  const kept = new Map(at.cookies);
  const lured = site.browser();
  assert.equal(await comeBack(lured, back), REFUSED, "a browser that was sent nowhere");
  await leave(lured);
  assert.equal(await comeBack(lured, back), REFUSED, "a browser with another state");
  const wrong = new URL(back);
  wrong.searchParams.set("state", "x".repeat(43));
  assert.equal(await comeBack(at, wrong.href), REFUSED, "a wrong state");
  for (const [name, value] of kept) at.cookies.set(name, value);
  assert.equal(await comeBack(at, back), "/dashboard");
  const again = site.browser();
  for (const [name, value] of kept) again.cookies.set(name, value);
  assert.equal(await comeBack(again, back), REFUSED, "again, with the cookie from before");
  assert.equal(await site.isSignedIn(again), false);

  const other = site.browser();
  const changed = new URL(await leave(other));
  changed.searchParams.set("nonce", "another nonce of the same length as the first.");
  assert.equal(await comeBack(other, await provider.goThrough(person, changed.href)), REFUSED, "a wrong nonce");
});

test("a code of another login, a provider's error and another site's cookie are refused", async () => {
  const person = { sub: "mixed", email: "mixed@example.org", email_verified: true };
  const [one, two] = [site.browser(), site.browser()];
  const first = new URL(await provider.goThrough(person, await leave(one)));
  const second = new URL(await provider.goThrough(person, await leave(two)));
  first.searchParams.set("code", second.searchParams.get("code") ?? "");
  assert.equal(await comeBack(one, first.href), REFUSED, "another login's code");
  const three = site.browser();
  const away = new URL(await leave(three));
  const state = away.searchParams.get("state") ?? "";
  assert.equal(
    await comeBack(three, `${site.base}/api/auth/callback/oidc?error=access_denied&state=${state}`),
    REFUSED,
  );
  const four = site.browser();
  const back = await provider.goThrough(person, await leave(four));
  four.cookies.set("spawnpoint_discord_state", four.cookies.get("spawnpoint_oidc_state") ?? "");
  four.cookies.delete("spawnpoint_oidc_state");
  assert.equal(await comeBack(four, back), REFUSED, "the state under another provider's name");
  assert.equal((await four.get(`/api/auth/callback/discord${new URL(back).search}`)).status, 404, "not offered");
});

test("it leads to pages of this site alone", async () => {
  for (const next of ["https://evil.example/", "//evil.example", "/\\evil.example", "/login/"]) {
    const person = { sub: "one", email: "sailor@example.org", email_verified: true };
    const { to } = await logIn(person, site.browser(), `/api/auth/oidc?next=${encodeURIComponent(next)}`);
    assert.equal(to, "/", next);
  }
});

test("the second step is required, and a banned account is refused", async () => {
  const person = { sub: "careful", email: "careful@example.org", email_verified: true };
  await logIn(person);
  await site.sql`update users set two_factor_enabled = true where email = ${person.email}`;
  const { at, to } = await logIn(person);
  assert.equal(to, "/two-factor?next=%2Fdashboard");
  assert.equal(await site.isSignedIn(at), false);
  await site.sql`update users set two_factor_enabled = false, banned_until = 'infinity' where email = ${person.email}`;
  assert.equal((await logIn(person)).to, REFUSED);
});

test("only a member who has just confirmed their identity links their own address, and is told by mail", async () => {
  const email = "links@example.org";
  const { at, user } = await site.signedIn(email);
  const own = { sub: "linked", email, email_verified: true };
  assert.match(String((await site.browser().post(LINK, {})).location), /^\/login\/\?next=/);
  await site.sql`update sessions set created_at = now() - interval '16 min' where user_id = ${user.id}`;
  assert.match(String((await at.post(LINK, {})).location), /^\/user\/reauthenticate\?next=/);
  await site.sql`update sessions set created_at = now() where user_id = ${user.id}`;
  for (const wrong of [
    { ...own, email: "another@example.org" },
    { ...own, email_verified: false },
  ])
    assert.equal((await logIn(wrong, at, LINK)).to, `${SECURITY}?oidc=refused`);
  assert.match((await at.get(`${SECURITY}?oidc=refused`)).text, /Harbour ID account wasn’t connected/);

  const { at: other, user: rival } = await site.signedIn("rival@example.org");
  const lured = await provider.goThrough(own, await leave(at, LINK));
  for (const [name, value] of at.cookies) if (/state/.test(name)) other.cookies.set(name, value);
  assert.equal(await comeBack(other, lured), `${SECURITY}?oidc=refused`, "another member's browser");
  assert.deepEqual([await linksOf(user.id), await linksOf(rival.id)], [[], []]);

  const away = await leave(at, LINK);
  assert.equal(new URL(away).searchParams.get("prompt"), "consent");
  const begun = await provider.goThrough(own, away);
  await at.post("/logout", {});
  assert.equal(await comeBack(at, begun), `${SECURITY}?oidc=refused`, "after a logout");

  const back = site.browser();
  await site.signIn(back, email);
  assert.equal((await logIn(own, back, LINK)).to, `${SECURITY}?oidc=linked`);
  assert.deepEqual(await linksOf(user.id), [`${provider.issuer} linked`]);
  assert.equal((await site.newestMail(email)).data.what, "oidc-linked");
  assert.equal(
    (await logIn({ ...own, sub: "linked", email: "rival@example.org" }, other, LINK)).to,
    `${SECURITY}?oidc=refused`,
  );
  assert.equal((await logIn(own)).to, "/dashboard");

  const page = await back.get(SECURITY);
  assert.match(page.text, /Harbour ID account[\s\S]*Disconnect/);
  const [row] = await site.sql`select account_id from accounts where user_id = ${user.id} and provider = 'oidc'`;
  const done = await back.post(SECURITY, { intent: "oidc-unlink", account_id: String(row?.account_id) });
  assert.match(done.text, /Harbour ID account disconnected/);
  assert.equal((await site.newestMail(email)).data.what, "oidc-unlinked");
  const written =
    await site.sql`select what from audit_events where actor_id = ${user.id} and what like 'oidc-%' order by event_id`;
  assert.deepEqual(
    written.map(({ what }) => what),
    ["oidc-linked", "oidc-unlinked"],
  );
});

test("a provider that is away is a refusal, and the next login finds it again", async () => {
  const person = { sub: "one", email: "sailor@example.org", email_verified: true };
  const at = site.browser();
  const back = await provider.goThrough(person, await leave(at));
  provider.state.away = true;
  assert.equal(await comeBack(at, back), REFUSED);
  const fresh = await startAccountSite({ ...provider.settings });
  try {
    const away = await fresh.browser().post("/api/auth/oidc", {});
    assert.deepEqual([away.status, away.location], [303, REFUSED]);
    provider.state.away = false;
    assert.equal((await fresh.browser().post("/api/auth/oidc", {})).status, 200);
  } finally {
    await fresh.stop();
  }
  assert.equal((await logIn(person)).to, "/dashboard");
});
