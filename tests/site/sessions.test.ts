/** What a session is worth: its cookie, its end, its rotation, and that it ends everywhere when it must. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { findMemberByToken, listSessions, removeSession } from "#domain/accounts/sessions.ts";
import { updateRole } from "#domain/members/roles.ts";
import { type AccountSite, startAccountSite } from "#tests/helpers/account-site.ts";
import type { Browser } from "#tests/helpers/browser.ts";

let site: AccountSite;

before(async () => {
  site = await startAccountSite();
});

after(() => site.stop());

const NAME = "spawnpoint_session";
const rawToken = (at: Browser) => decodeURIComponent(at.cookies.get(NAME) ?? "").split(".")[0] ?? "";

test("behind HTTPS the cookie is tied to this host, out of reach of scripts and of other sites", async () => {
  const secure = await startAccountSite({ SITE_URL: "https://play.example.org" });
  try {
    await secure.member("https@example.org");
    const answer = await secure.signIn(secure.browser(), "https@example.org");
    assert.equal(answer.status, 302);
    const [cookie = ""] = answer.setCookies.filter((line) => line.includes(NAME));
    assert.match(cookie, /^__Host-spawnpoint_session=/);
    for (const part of [/; HttpOnly/i, /; Secure/i, /; SameSite=Lax/i, /; Path=\/(;|$)/i]) assert.match(cookie, part);
    assert.doesNotMatch(cookie, /Domain=/i);
    for (const line of answer.setCookies) assert.match(line, /^__Host-.*HttpOnly/i);
  } finally {
    await secure.stop();
  }
});

test("the token has 256 random bits and is stored as a hash alone", async () => {
  const { at, user } = await site.signedIn("hashed@example.org");
  const token = rawToken(at);
  assert.equal(Buffer.from(token, "base64url").length, 32);
  const [row] = await site.sql`select * from sessions where user_id = ${user.id}`;
  assert.equal(row?.token_hash, createHash("sha256").update(token).digest("hex"));
  const everything = await site.sql.unsafe(
    `select (select json_agg(s) from sessions s)::text || (select json_agg(v) from verifications v)::text || (select json_agg(a) from audit_events a)::text as all`,
  );
  assert.ok(!JSON.stringify(everything).includes(token));
});

test("what is no token of ours signs nobody in", async () => {
  const { at } = await site.signedIn("forged@example.org");
  const [row] = await site.sql`select token_hash from sessions limit 1`;
  for (const value of [
    "",
    "x",
    String(row?.token_hash),
    // Of 43 signs the last one carries four bits: A is one of sixteen that it may be.
    `${rawToken(at).replace(/.$/, (last) => (last === "A" ? "E" : "A"))}.x`,
    "%",
    "%00",
    "a".repeat(5000),
    "' or 1=1 --",
  ]) {
    const stranger = site.browser();
    stranger.cookies.set(NAME, value);
    const answer = await stranger.get("/login/");
    assert.ok(answer.status === 200 || answer.status === 431, `${value.slice(0, 20)} ${answer.status}`);
  }
});

test("a cookie that names no running session gets what a visitor gets, from memory and without a question", async () => {
  const visitor = await site.browser().get("/dashboard");
  const { at } = await site.signedIn("left@example.org");
  const sealed = at.cookies.get(NAME) ?? "";
  await site.sql`delete from sessions where token_hash = ${createHash("sha256").update(rawToken(at)).digest("hex")}`;
  const [token = "", seal = ""] = decodeURIComponent(sealed).split(".");
  const made = "A".repeat(43);
  const junk = [
    "x",
    made,
    `${made}.${seal}`,
    `${made}.${"A".repeat(43)}=`,
    `${token}.${seal.replace(/^./, "-")}`,
    token,
  ];
  // The seal is right, the session is over: the first question tells, and it is remembered.
  const over = site.browser();
  over.cookies.set(NAME, sealed);
  await over.get("/dashboard");
  // Whoever asked the database now would wait in vain.
  await site.sql.begin(async (tx) => {
    await tx`lock table sessions in access exclusive mode`;
    for (const value of [sealed, ...junk.map(encodeURIComponent)]) {
      const stranger = site.browser();
      stranger.cookies.set(NAME, value);
      const answer = await stranger.get("/dashboard");
      assert.equal(answer.headers.get("etag")?.length, visitor.headers.get("etag")?.length, value);
      assert.equal(answer.headers.get("cache-control"), visitor.headers.get("cache-control"), value);
      assert.equal((await stranger.get("/login/")).status, 200);
    }
  });

  // Whoever signs in is a member at once, whatever their browser sent before.
  assert.equal((await site.signIn(over, "left@example.org")).status, 302);
  assert.match(String((await over.get("/dashboard")).headers.get("cache-control")), /private, no-store/);
});

test("signing in again gives another token and ends the one before", async () => {
  const { at, user } = await site.signedIn("rotated@example.org");
  const first = rawToken(at);
  await site.sql`delete from sessions where false`;
  const login = await at.post("/login/", {
    intent: "login",
    email: "rotated@example.org",
    password: "a lamp in the harbour",
  });
  assert.equal(login.status, 302);
  assert.notEqual(rawToken(at), first);
  assert.equal((await listSessions(site.database.db, user.id)).length, 1);
});

test("a session ends when it was not used for 7 days, and after 30 days however much it was used", async () => {
  const { at, user } = await site.signedIn("ends@example.org");
  const [row] = await site.sql`
    select extract(epoch from expires_at - created_at)::int / 86400 as idle, extract(epoch from ends_at - created_at)::int / 86400 as ends
    from sessions where user_id = ${user.id}`;
  assert.deepEqual([row?.idle, row?.ends], [7, 30]);

  const idle = await site.signedIn("idle@example.org");
  await site.sql`update sessions set expires_at = now() - interval '1 s' where user_id = ${idle.user.id}`;
  assert.equal(await site.isSignedIn(idle.at), false);
  await site.sql`update sessions set expires_at = now() + interval '1 day', last_used_at = now() - interval '1 hour' where user_id = ${user.id}`;
  assert.equal(await site.isSignedIn(at), true);
  const [used] =
    await site.sql`select expires_at > now() + interval '6 days' as moved, last_used_at > now() - interval '1 min' as seen from sessions where user_id = ${user.id}`;
  assert.deepEqual({ ...used }, { moved: true, seen: true });

  await site.sql`update sessions set ends_at = now() + interval '1 hour', last_used_at = now() - interval '1 hour' where user_id = ${user.id}`;
  await site.isSignedIn(at);
  const [late] = await site.sql`select expires_at <= ends_at as held from sessions where user_id = ${user.id}`;
  assert.equal(late?.held, true, "use does not move the idle end past the absolute one");
  await site.sql`update sessions set ends_at = now() - interval '1 s', expires_at = now() + interval '1 day' where user_id = ${user.id}`;
  assert.equal(await site.isSignedIn(at), false);
});

test("a change of role, a ban and a closed account sign out everywhere; nobody can end somebody else's session", async () => {
  const { at, user } = await site.signedIn("promoted@example.org");
  const other = await site.signedIn("bystander@example.org");
  const [session] = await listSessions(site.database.db, user.id);
  assert.equal(await removeSession(site.database.db, other.user.id, String(session?.session_id)), false);
  assert.equal(await removeSession(site.database.db, user.id, "not-a-uuid"), false);
  await updateRole(site.database.db, user.id, "moderator");
  assert.equal(await site.isSignedIn(at), false);
  for (const change of [
    "banned_until = 'infinity'",
    "banned_until = now() + interval '1 h'",
    "deactivated_at = now()",
  ]) {
    await site.sql.unsafe(`update users set banned_until = null, deactivated_at = null where user_id = '${user.id}'`);
    const again = site.browser();
    assert.equal((await site.signIn(again, "promoted@example.org")).status, 302);
    await site.sql.unsafe(`update users set ${change} where user_id = '${user.id}'`);
    assert.equal(await site.isSignedIn(again), false, change);
    const refused = await site.signIn(site.browser(), "promoted@example.org");
    assert.equal(refused.status, 403, change);
    assert.match(refused.text, /This account is (banned|closed)/);
  }
  assert.equal(await site.isSignedIn(other.at), true);
});

test("an open stream ends within two seconds of its session", async () => {
  const { at, user } = await site.signedIn("streaming@example.org");
  const stop = new AbortController();
  const stream = await fetch(`${site.base}/live`, {
    headers: { Cookie: `${NAME}=${at.cookies.get(NAME)}` },
    signal: stop.signal,
  });
  const reader = stream.body?.getReader();
  assert.ok(reader);
  const ended = (async () => {
    for (;;) if ((await reader.read()).done) return "ended";
  })();
  await pause(300);
  await site.sql`delete from sessions where user_id = ${user.id}`;
  assert.equal(await Promise.race([ended, pause(2_000, "still open")]), "ended");
  stop.abort();
});

test("nobody is found by a session that ends while its use is written down", async () => {
  const { at, user } = await site.signedIn("ending@example.org");
  await site.sql`update sessions set last_used_at = now() - interval '6 min' where user_id = ${user.id}`;
  let found: Promise<unknown> = Promise.resolve();
  await site.sql.begin(async (tx) => {
    await tx`delete from sessions where user_id = ${user.id}`;
    found = findMemberByToken(site.database.db, rawToken(at));
    for (let waits = 0; waits === 0; await pause(20)) {
      const [row] = await site.sql<{ waits: number }[]>`
        select count(*)::int as waits from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like 'update "sessions"%'`;
      waits = row?.waits ?? 0;
    }
  });
  assert.equal(await found, null);
});

test("a page for one member never reaches another, nor a visitor", async () => {
  const { at } = await site.signedIn("private@example.org");
  const [profile] =
    await site.sql`select user_nick_name from profiles join users using (user_id) where email = 'private@example.org'`;
  for (const path of ["/", "/dashboard", "/games/minecraft", "/_root.data", "/dashboard.data"]) {
    await site.browser().get(path);
    const mine = await at.get(path);
    assert.match(String(mine.headers.get("cache-control")), /private, no-store/, path);
    const theirs = await site.browser().get(path);
    for (const secret of ["private@example.org", String(profile?.user_nick_name)]) {
      if (!path.endsWith(".data")) assert.ok(mine.text.includes(secret), path);
      assert.ok(!theirs.text.includes(secret), path);
    }
  }
});

test("signing out by GET or from another site does nothing", async () => {
  const { at } = await site.signedIn("stays@example.org");
  assert.equal((await at.get("/logout")).status, 200);
  for (const headers of [
    { "Sec-Fetch-Site": "cross-site" },
    { "Sec-Fetch-Site": "same-site" },
    { Origin: "https://evil.example" },
    { Origin: "null" },
    { "Sec-Fetch-Site": "cross-site", Origin: site.base },
  ]) {
    assert.equal(
      (await at.post("/logout", {}, headers as Record<string, string>)).status,
      403,
      JSON.stringify(headers),
    );
    assert.equal(
      (await at.post("/login/", { intent: "login", email: "a@b.c", password: "x" }, headers as Record<string, string>))
        .status,
      403,
    );
  }
  assert.equal(await site.isSignedIn(at), true);
  const out = await at.post("/logout", {});
  assert.equal(out.location, "/");
  assert.equal(at.cookies.has(NAME), false);
});

test("guarded pages and their data send nobody anywhere but to the sign-in", async () => {
  for (const path of ["/user/reauthenticate", "/user/reauthenticate.data"]) {
    const answer = await site.browser().get(path);
    if (path.endsWith(".data")) assert.match(answer.text, /login/);
    else assert.equal(answer.location, "/login/?next=%2Fuser%2Freauthenticate");
    assert.doesNotMatch(answer.text, /Is it still you/);
  }
  assert.equal(
    (await site.browser().post("/user/reauthenticate", { password: "x" })).location,
    "/login/?next=%2Fuser%2Freauthenticate",
  );
});

test("showing again who one is gives a new token; the wrong password does not", async () => {
  const { at, user } = await site.signedIn("again@example.org");
  await site.sql`update sessions set created_at = now() - interval '16 min' where user_id = ${user.id}`;
  const token = rawToken(at);
  assert.equal((await at.post("/user/reauthenticate", { password: "wrong lamp here" })).status, 401);
  assert.equal(rawToken(at), token);
  const answer = await at.post("/user/reauthenticate?next=/dashboard", { password: "a lamp in the harbour" });
  assert.equal(answer.location, "/dashboard");
  assert.notEqual(rawToken(at), token);
  const [row] =
    await site.sql`select count(*)::int as n, max(created_at) > now() - interval '1 min' as fresh from sessions where user_id = ${user.id}`;
  assert.deepEqual({ ...row }, { n: 1, fresh: true });
});

test("the audit log takes rows and gives none back", async () => {
  const rows = await site.sql`select what, ip, user_agent from audit_events where what = 'sign-in' limit 1`;
  assert.equal(rows.length, 1);
  assert.match(String(rows[0]?.ip), /^198\.18\./);
  for (const statement of ["update audit_events set what = 'x'", "delete from audit_events", "truncate audit_events"]) {
    await assert.rejects(site.sql.unsafe(statement), /append-only/, statement);
  }
});
