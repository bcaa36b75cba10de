/** Accounts through the front door: refusals first, then the way in, then the ways back in. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type AccountSite, PASSWORD, startAccountSite } from "#tests/helpers/account-site.ts";
import { nextPage } from "#web/request/next-page.ts";

let site: AccountSite;

before(async () => {
  site = await startAccountSite();
});

after(() => site.stop());

test("sign-in is refused in words, with its status, and keeps the address but never the password", async () => {
  await site.member("refused@example.org");
  for (const [fields, status, expected] of [
    [{ email: "", password: "" }, 400, "You must provide either an email or phone number and a password"],
    [
      { email: "refused@example.org", password: "" },
      400,
      "You must provide either an email or phone number and a password",
    ],
    [{ email: "no address", password: "wrong-one-1" }, 400, "Login failed. This is not an email address"],
    [
      { email: "refused@example.org", password: "wrong-one-1" },
      401,
      "Login failed. The email address or the password is wrong.",
    ],
    [
      { email: "nobody@example.org", password: "wrong-one-1" },
      401,
      "Login failed. The email address or the password is wrong.",
    ],
    [
      { email: "refused@example.org", password: "x".repeat(129) },
      401,
      "Login failed. The email address or the password is wrong.",
    ],
  ] as const) {
    const answer = await site.browser().post("/login/", { intent: "login", ...fields });
    assert.equal(answer.status, status, expected);
    assert.ok(answer.text.includes(expected), expected);
    assert.match(answer.text, /role="alert"/);
    assert.deepEqual(answer.setCookies, []);
    if (fields.email) assert.ok(answer.text.includes(`value="${fields.email}"`));
    if (fields.password) assert.ok(!answer.text.includes(fields.password));
  }
});

test("from registering to signing out", async () => {
  const at = site.browser();
  const answer = await at.post("/login/", { intent: "register", email: "New@Example.org", password: PASSWORD });
  assert.equal(answer.status, 200);
  assert.match(answer.text, /No email was sent/, "there is no mail server");
  assert.equal(await site.isSignedIn(at), false);
  assert.match((await site.signIn(at, "new@example.org")).text, /confirm your email address first/);

  const mail = await site.newestMail("new@example.org");
  assert.equal(mail.template, "verify-email");
  const link = new URL(String(mail.data.link));
  const [stored] =
    await site.sql`select count(*)::int as n from verifications where value like ${`%${link.searchParams.get("token")}%`} or identifier like ${`%${link.searchParams.get("token")}%`}`;
  assert.equal(stored?.n, 0, "the token is stored as a hash only");
  assert.match((await at.get(link.pathname + link.search)).text, /new@example\.org/);
  assert.equal(await site.isSignedIn(at), false, "looking at the link changes nothing");
  const confirmed = await at.post(link.pathname + link.search, {});
  assert.equal(confirmed.status, 302);
  assert.equal(confirmed.location, "/");
  assert.equal(await site.isSignedIn(at), true);
  assert.equal((await site.browser().post(link.pathname + link.search, {})).status, 410, "a link works once");

  const [row] = await site.sql`
    select role, user_nick_name, p.locale from users u join roles using (user_id) join profiles p using (user_id) where email = 'new@example.org'`;
  assert.equal(row?.role, "user");
  assert.match(row?.user_nick_name, /^Player-/);

  const out = await at.post("/logout", {});
  assert.equal(out.location, "/");
  assert.equal(await site.isSignedIn(at), false);
  const back = await site.signIn(at, "NEW@example.org", PASSWORD, "?next=/dashboard");
  assert.equal(back.location, "/dashboard");
  assert.equal(await site.isSignedIn(at), true);
});

test("sign-up is refused with the reason, keeps the address, and makes nothing", async () => {
  for (const [email, password, status, expected] of [
    ["", "", 400, "You must provide either an email or phone number and a password"],
    ["weak@example.org", "short", 422, "Registration failed. This password is too short."],
    ["weak@example.org", "x1".repeat(65), 422, "This password is too long."],
    ["weak@example.org", "Password1", 422, "one of the most common ones"],
    ["weak@example.org", "weak@example.org", 422, "is your email address"],
    ["not an address", PASSWORD, 400, "This is not an email address"],
  ] as const) {
    const answer = await site.browser().post("/login/", { intent: "register", email, password });
    assert.equal(answer.status, status, expected);
    assert.ok(answer.text.includes(expected), expected);
    if (status === 422) assert.match(answer.text, /Please try again\./);
    if (password.length > 20) assert.ok(!answer.text.includes(password));
  }
  const rows = await site.sql`select 1 from users where email = 'weak@example.org'`;
  assert.equal(rows.length, 0);
});

test("what registers can sign in: addresses and passwords are judged alike in both places", async () => {
  for (const [email, password, good] of [
    ["emoji@example.org", "🎣⚓🌊🔥🐟".repeat(14), true],
    ["longest@example.org", "🎣⚓🌊🔥".repeat(32), true],
    ["john.o'hara+games_1@example.org", PASSWORD, true],
    ["a/b@example.org", PASSWORD, false],
    ["x=y@example.org", PASSWORD, false],
    ["a!b@example.org", PASSWORD, false],
    ["john&jane@example.org", PASSWORD, false],
    ["a..b@example.org", PASSWORD, false],
  ] as const) {
    const at = site.browser();
    const answer = await at.post("/login/", { intent: "register", email, password });
    assert.equal(answer.status, good ? 200 : 400, email);
    if (!good) assert.match(answer.text, /This is not an email address/);
    else assert.equal((await at.post(await site.linkTo(email), {})).location, "/");
    assert.equal((await site.signIn(site.browser(), email, password)).status, good ? 302 : 400, email);
  }
  const tooLong = await site.signIn(site.browser(), "longest@example.org", `${"🎣⚓🌊🔥".repeat(32)}x`);
  assert.equal(tooLong.status, 401);
});

test("an account from before that has such an address still gets in by a code", async () => {
  await site.member("john&joan@example.org");
  const at = site.browser();
  assert.equal((await at.post("/sign-in-code", { email: "john&joan@example.org" })).status, 200);
  const code = String((await site.newestMail("john&joan@example.org")).data.code);
  assert.equal((await at.post("/sign-in-code", { email: "john&joan@example.org", code })).status, 302);
});

test("user, profile and role come in one transaction: when the role cannot be made, nothing is", async () => {
  await site.sql.unsafe(`
    create function no_roles() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
    create trigger no_roles before insert on roles for each row execute function no_roles()`);
  const answer = await site
    .browser()
    .post("/login/", { intent: "register", email: "half@example.org", password: PASSWORD });
  await site.sql.unsafe("drop function no_roles cascade");
  assert.equal(answer.status, 500);
  assert.doesNotMatch(answer.text, /no_roles|insert into/);
  const [{ n } = { n: -1 }] = await site.sql<{ n: number }[]>`
    select (select count(*) from users where email = 'half@example.org')::int + (select count(*) from notification_deliveries where mail_to = 'half@example.org')::int as n`;
  assert.equal(n, 0);
});

test("two sign-ups of one address at once make one account, and both get the same answer", async () => {
  const both = await Promise.all(
    [1, 2].map(() =>
      site.browser().post("/login/", { intent: "register", email: "twice@example.org", password: PASSWORD }),
    ),
  );
  assert.deepEqual(
    both.map(({ status }) => status),
    [200, 200],
  );
  const rows = await site.sql`select 1 from users where email = 'twice@example.org'`;
  assert.equal(rows.length, 1);
});

test("registering a known address gives the same page, and its owner a mail", async () => {
  await site.member("known@example.org");
  const known = await site
    .browser()
    .post("/login/", { intent: "register", email: "known@example.org", password: PASSWORD });
  const fresh = await site
    .browser()
    .post("/login/", { intent: "register", email: "fresh@example.org", password: PASSWORD });
  assert.equal(known.status, fresh.status);
  const plain = (text: string) => text.replaceAll(/known@|fresh@/g, "x@").replaceAll(/"rendered_at[^}]*/g, "");
  const shape = (text: string) => plain(text).replaceAll(/<script[\s\S]*?<\/script>/g, "");
  assert.equal(shape(known.text), shape(fresh.text));
  assert.deepEqual(
    known.setCookies.map((c) => c.split("=", 1)[0]),
    fresh.setCookies.map((c) => c.split("=", 1)[0]),
  );
  assert.equal((await site.newestMail("known@example.org")).template, "already-registered");
});

test("a link opened in another browser confirms the address but signs nobody in, and leads on to a password", async () => {
  await site.browser().post("/login/", { intent: "register", email: "elsewhere@example.org", password: PASSWORD });
  const other = site.browser();
  const answer = await other.post(await site.linkTo("elsewhere@example.org"), {});
  assert.equal(answer.status, 200);
  assert.match(answer.text, /Your address is confirmed/);
  assert.match(answer.text, /href="\/reset-password\?token=[\w-]+"/);
  assert.equal(await site.isSignedIn(other), false);
  assert.equal((await site.signIn(other, "elsewhere@example.org")).status, 401);
});

test("a broken or used link says what to do", async () => {
  for (const path of [
    "/verify-email?token=nonsense",
    "/reset-password?token=nonsense",
    "/confirm-email-change",
    "/setup/nonsense",
  ]) {
    const answer = await site.browser().get(path);
    assert.equal(answer.status, 410, path);
    assert.match(answer.text, /used or expired/, path);
    assert.equal(answer.headers.get("referrer-policy"), "same-origin", path);
  }
});

test("a forgotten password: same answer for everybody, one use, everybody signed out, other address in the mail alone", async () => {
  const { at } = await site.signedIn("forgetful@example.org");
  const asked = await site.browser().post("/forgot-password", { email: "forgetful@example.org" });
  const unknown = await site.browser().post("/forgot-password", { email: "stranger@example.org" });
  assert.deepEqual([asked.status, unknown.status], [200, 200]);
  const link = await site.linkTo("forgetful@example.org");
  const weak = await site.browser().post(link, { password: "password1" });
  assert.equal(weak.status, 422);
  assert.match(weak.text, /most common/);
  const set = await site.browser().post(link, { password: "another harbour lamp" });
  assert.equal(set.status, 200);
  assert.match(set.text, /Your password is set/);
  assert.equal(await site.isSignedIn(at), false, "every session has ended");
  assert.equal((await site.browser().post(link, { password: "third harbour lamp" })).status, 410);
  assert.equal((await site.signIn(site.browser(), "forgetful@example.org")).status, 401);
  assert.equal((await site.signIn(site.browser(), "forgetful@example.org", "another harbour lamp")).status, 302);
  assert.equal((await site.newestMail("forgetful@example.org")).data.what, "password-reset");
});

test("of two uses of one link at the same moment, one counts", async () => {
  await site.member("race@example.org");
  await site.browser().post("/forgot-password", { email: "race@example.org" });
  const link = await site.linkTo("race@example.org");
  const both = await Promise.all(
    ["first harbour", "second harbour"].map((password) => site.browser().post(link, { password })),
  );
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 410]);
});

test("a code from the mailbox: bound to the browser, five tries, one use", async () => {
  await site.member("coded@example.org");
  const at = site.browser();
  const known = await at.post("/sign-in-code", { email: "coded@example.org" });
  const unknown = await site.browser().post("/sign-in-code", { email: "stranger@example.org" });
  assert.deepEqual([known.status, unknown.status], [200, 200]);
  assert.equal(known.setCookies.length, unknown.setCookies.length);
  const code = String((await site.newestMail("coded@example.org")).data.code);
  assert.match(code, /^\d{4} \d{4}$/);
  assert.equal(
    (await site.browser().post("/sign-in-code", { email: "coded@example.org", code })).status,
    401,
    "another browser",
  );
  for (let attempt = 0; attempt < 4; attempt += 1) {
    assert.equal((await at.post("/sign-in-code", { email: "coded@example.org", code: "0000 0000" })).status, 401);
  }
  assert.equal(
    (await at.post("/sign-in-code?next=/dashboard", { email: "coded@example.org", code })).location,
    "/dashboard",
  );
  assert.equal(await site.isSignedIn(at), true);

  const spent = site.browser();
  await spent.post("/sign-in-code", { email: "coded@example.org" });
  const next = String((await site.newestMail("coded@example.org")).data.code);
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await spent.post("/sign-in-code", { email: "coded@example.org", code: "0000 0000" });
  }
  assert.equal((await spent.post("/sign-in-code", { email: "coded@example.org", code: next })).status, 401);
  const kept = await site.sql`select value from verifications where identifier like 'sign-in-code:%'`;
  assert.ok(kept.every((row) => !row.value.includes(next.replace(" ", ""))));
});

test("a code that went to the old address is worth nothing once the account has another", async () => {
  await site.member("before@example.org");
  const at = site.browser();
  await at.post("/sign-in-code", { email: "before@example.org" });
  const code = String((await site.newestMail("before@example.org")).data.code);
  await site.sql`update users set email = 'after@example.org' where email = 'before@example.org'`;
  assert.equal((await at.post("/sign-in-code", { email: "before@example.org", code })).status, 401);
  assert.equal(await site.isSignedIn(at), false);
});

test("after signing in one goes to a page of this site, whatever the address asks for", () => {
  for (const evil of [
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "javascript:alert(1)",
    "/\tevil",
    "\\\\evil",
    "/%0d%0aSet-Cookie:x",
    "/login/",
    "/logout",
    "/de/logout",
    "/../\\evil",
    "",
    " /x",
    "/a\nb",
    `/${"x".repeat(600)}`,
    "/.//evil.example",
    "/x/..//evil.example",
  ]) {
    const to = nextPage(evil);
    assert.equal(new URL(to, "http://site.test").origin, "http://site.test", evil);
    assert.doesNotMatch(to, /^\/\/|\\|[\r\n\t]|log(?:in|out)/, evil);
  }
  for (const fine of ["/dashboard", "/servers/7?x=1#top", "/de/games/aion", "/user/settings/profile/"])
    assert.equal(nextPage(fine), fine);
});
