/** People, messages and blocked addresses of the admin area: refusals first, then the acts and what follows from them. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { createContact } from "#domain/inbox/contacts.ts";
import { sweepContacts } from "#domain/inbox/inbox.ts";
import { banUser, changeRole, removeUser } from "#domain/members/acts.ts";
import { type Role, updateRole } from "#domain/members/roles.ts";
import { type AccountSite, startAccountSite } from "#tests/helpers/account-site.ts";
import type { Browser } from "#tests/helpers/browser.ts";

let site: AccountSite;
let people: Record<"nobody" | Role, Browser>;
let adminId: string;

const ORIGIN = { ip: "203.0.113.9", user_agent: "test" };

before(async () => {
  site = await startAccountSite();
  const withRole = async (role: Role) => {
    const email = `${role}@example.org`;
    const { id } = await site.member(email);
    await updateRole(site.database.db, id, role);
    if (role === "admin") adminId = id;
    const at = site.browser();
    assert.equal((await site.signIn(at, email)).status, 302);
    return at;
  };
  people = {
    nobody: site.browser(),
    user: await withRole("user"),
    moderator: await withRole("moderator"),
    admin: await withRole("admin"),
  };
});

after(() => site.stop());

async function writeContact(request: Parameters<typeof createContact>[1]["request"] = null): Promise<number> {
  await createContact(
    site.database.db,
    { name: "Ada", email: "ada@example.org", message: "When is it up again?", request },
    { locale: "de", operatorEmail: "" },
  );
  const [row] = await site.sql<{ id: number }[]>`select max(contact_id) as id from contacts`;
  return row?.id ?? 0;
}

const audited = async (what: string) =>
  (await site.sql<{ n: number }[]>`select count(*)::int as n from audit_events where what = ${what}`)[0]?.n ?? 0;

async function giveSecondFactor(userId: string) {
  await site.sql`insert into two_factors (user_id, secret, recovery_codes, verified) values (${userId}, 'sealed', '[]', true)`;
  await site.sql`update users set two_factor_enabled = true where user_id = ${userId}`;
}

test("looking at a message changes nothing; reading it is an act of its own", async () => {
  const id = await writeContact();
  assert.match((await people.moderator.get(`/admin/messages/${id}`)).text, /When is it up again/);
  assert.equal((await site.sql`select 1 from contacts where contact_id = ${id} and read_at is null`).length, 1);
  assert.equal((await people.moderator.post(`/admin/messages/${id}`, { intent: "read" })).status, 200);
  assert.equal((await site.sql`select 1 from contacts where contact_id = ${id} and read_at is null`).length, 0);
});

test("a moderator answers by mail in the sender's language; a second answer from an old page is not sent", async () => {
  const id = await writeContact();
  const empty = await people.moderator.post(`/admin/messages/${id}`, { intent: "answer", text: "  ", seen: "0" });
  assert.equal(empty.status, 422);
  assert.equal((await site.sql`select 1 from contacts where contact_id = ${id} and answered_at is not null`).length, 0);
  const sent = await people.moderator.post(`/admin/messages/${id}`, { intent: "answer", text: "Tomorrow.", seen: "0" });
  assert.equal(sent.status, 200);
  const mail = await site.newestMail("ada@example.org");
  assert.deepEqual([mail.template, mail.locale, mail.data.answer], ["contact-answer", "de", "Tomorrow."]);
  const late = await people.admin.post(`/admin/messages/${id}`, { intent: "answer", text: "Never & <b>.", seen: "0" });
  assert.equal(late.status, 409);
  assert.match(late.text, /Never &amp; &lt;b&gt;\./, "what was typed is kept");
  assert.match(late.text, /Tomorrow\./, "and stands beside what was sent");
  assert.equal((await site.sql`select 1 from mail_copies where mail_to = 'ada@example.org'`).length, 1);
  assert.equal(await audited("contact-answered"), 1);
});

test("a privacy request counts its days; only Virginia's is extended, once, with a reason", async () => {
  const colorado = await writeContact({ kind: "access", region: "colorado" });
  const refused = await people.moderator.post(`/admin/messages/${colorado}`, { intent: "extend", text: "busy" });
  assert.equal(refused.status, 409);
  const id = await writeContact({ kind: "access", region: "virginia" });
  const page = await people.moderator.get(`/admin/messages/${id}`);
  assert.match(page.text, /Virginia Consumer Data Protection Act/);
  assert.match(page.text, /45 days left/);
  assert.equal((await people.moderator.post(`/admin/messages/${id}`, { intent: "extend", text: " " })).status, 422);
  assert.equal((await people.moderator.post(`/admin/messages/${id}`, { intent: "extend", text: "many" })).status, 200);
  assert.match((await people.moderator.get(`/admin/messages/${id}`)).text, /90 days left/);
  assert.equal((await people.moderator.post(`/admin/messages/${id}`, { intent: "extend", text: "more" })).status, 409);
  assert.match((await people.moderator.get("/admin/messages?state=privacy")).text, /Access to the data/);
});

test("an admin deletes a message for good, once the sender's name was typed; the row that says so holds nothing of it", async () => {
  const id = await writeContact({ kind: "access", region: "colorado" });
  const page = `/admin/messages/${id}/delete`;
  assert.match((await people.admin.get(`/admin/messages/${id}`)).text, new RegExp(`href="${page}"`));
  assert.ok(!(await people.moderator.get(`/admin/messages/${id}`)).text.includes(page), "no link to a refusal");
  assert.match((await people.admin.get(page)).text, /privacy request that nobody has answered/);
  assert.equal((await people.admin.post(page, { confirm: "ada@example.org" })).status, 422);
  assert.equal((await people.admin.post(page, {})).status, 422);
  assert.equal((await site.sql`select 1 from contacts where contact_id = ${id}`).length, 1);
  const gone = await people.admin.post(page, { confirm: " Ada " });
  assert.equal(gone.location, "/admin/messages?done=deleted");
  assert.match((await people.admin.get("/admin/messages?done=deleted")).text, /The message has been deleted/);
  assert.equal((await site.sql`select 1 from contacts where contact_id = ${id}`).length, 0);
  const [row] = await site.sql`select actor_id, subject_id, details from audit_events where what = 'contact-removed'`;
  assert.deepEqual(
    { ...row },
    { actor_id: adminId, subject_id: String(id), details: { unanswered_request: "access" } },
  );
  assert.equal((await people.admin.post(page, { confirm: "Ada" })).status, 410);
  assert.equal((await people.admin.get(page)).status, 404);
  assert.equal(await audited("contact-removed"), 1);
});

test("archived messages go after twelve months, others stay", async () => {
  const [old, young, open] = [await writeContact(), await writeContact(), await writeContact()];
  const archived = (id: number, ago: string) =>
    site.sql`update contacts set archived_at = now() - ${ago}::interval, created_at = now() - interval '3 years' where contact_id = ${id}`;
  await archived(old, "12 months 1 minute");
  await archived(young, "11 months");
  await site.sql`update contacts set created_at = now() - interval '3 years' where contact_id = ${open}`;
  await sweepContacts(site.database.db);
  const left = await site.sql<{ id: number }[]>`
    select contact_id as id from contacts where contact_id = any(${[old, young, open]}::int[]) order by 1`;
  assert.deepEqual(
    left.map(({ id }) => id),
    [young, open],
  );
});

/** A stream of somebody at an address; `ended` resolves with what came. */
async function openStream(at: Browser, ip = "198.18.0.250"): Promise<{ ended: Promise<string>; close(): void }> {
  const cookie = [...at.cookies].map((pair) => pair.join("=")).join("; ");
  const [response] = (await once(
    get(`${site.base}/live`, { headers: { cookie, "x-forwarded-for": ip } }),
    "response",
  )) as [IncomingMessage];
  let text = "";
  response.setEncoding("utf8").on("data", (chunk) => {
    text += chunk;
  });
  return { ended: once(response, "close").then(() => text), close: () => void response.destroy() };
}

test("a ban ends sessions and streams, and is told at the next sign-in with reason and end", async () => {
  const { at, user } = await site.signedIn("rowdy@example.org");
  const stream = await openStream(at);
  const page = `/admin/people/${user.id}`;
  assert.equal((await people.admin.post(page, { intent: "ban", reason: "", lasts: "7" })).status, 422);
  assert.equal((await people.admin.post(page, { intent: "ban", reason: "x", lasts: "8" })).status, 422);
  assert.equal((await people.admin.post(page, { intent: "ban", reason: "Spoke badly", lasts: "7" })).status, 200);
  assert.match(await stream.ended, /event: session/);
  assert.equal(await site.isSignedIn(at), false);
  const refused = await site.signIn(at, "rowdy@example.org");
  assert.equal(refused.status, 403);
  assert.match(refused.text, /banned until .* UTC\. Reason: Spoke badly/);
  const stranger = await site.signIn(site.browser(), "rowdy@example.org", "not the password");
  assert.equal(stranger.status, 401);
  assert.doesNotMatch(stranger.text, /Spoke badly/, "a stranger learns nothing of it");
  assert.match((await people.admin.get("/admin/people?role=banned")).text, /rowdy@example\.org/);
  assert.equal((await people.admin.post(page, { intent: "unban" })).status, 200);
  assert.equal((await site.signIn(at, "rowdy@example.org")).status, 302);
  assert.equal((await people.admin.post(page, { intent: "ban", reason: "Again", lasts: "good" })).status, 200);
  assert.match((await site.signIn(at, "rowdy@example.org")).text, /banned for good\. Reason: Again/);
  assert.equal(await audited("member-banned"), 2);
});

test("a role counts at once: the session ends, and the next one may more or less", async () => {
  const { at, user } = await site.signedIn("riser@example.org");
  assert.equal((await at.get("/admin/dashboard")).status, 403);
  const page = `/admin/people/${user.id}`;
  assert.equal((await people.admin.post(page, { intent: "role", role: "emperor" })).status, 422);
  assert.equal((await people.admin.post(page, { intent: "role", role: "moderator" })).status, 200);
  assert.equal(await site.isSignedIn(at), false);
  await site.signIn(at, "riser@example.org");
  assert.equal((await at.get("/admin/dashboard")).status, 200);
  assert.equal((await people.admin.post(page, { intent: "role", role: "user" })).status, 200);
  await site.signIn(at, "riser@example.org");
  assert.equal((await at.get("/admin/dashboard")).status, 403);
});

test("a lost second factor is removed once the address was typed, and the member is told in their language", async () => {
  const { id } = await site.member("phoneless@example.org");
  await giveSecondFactor(id);
  await site.sql`update profiles set locale = 'de' where user_id = ${id}`;
  const page = `/admin/people/${id}/second-factor`;
  assert.match((await people.admin.get(`/admin/people/${id}`)).text, new RegExp(`href="${page}"`));
  assert.equal((await people.admin.post(page, { confirm: "somebody@example.org" })).status, 422);
  assert.match(String((await site.signIn(site.browser(), "phoneless@example.org")).location), /^\/two-factor/);
  assert.equal((await people.admin.post(page, { confirm: " Phoneless@example.org " })).location, `/admin/people/${id}`);
  assert.equal((await site.signIn(site.browser(), "phoneless@example.org")).location, "/");
  assert.equal((await site.sql`select 1 from two_factors where user_id = ${id}`).length, 0);
  const mail = await site.newestMail("phoneless@example.org");
  assert.deepEqual([mail.template, mail.locale], ["second-factor-removed", "de"]);
  assert.match(String(mail.data.security_link), /\/user\/settings\/security$/);

  // Once more there is nothing to remove, to write down or to tell.
  assert.equal((await people.admin.post(page, { confirm: "phoneless@example.org" })).status, 302);
  const acts = await site.sql`select actor_id, subject_id from audit_events where what = 'second-factor-removed'`;
  assert.deepEqual([...acts.map((act) => ({ ...act }))], [{ actor_id: adminId, subject_id: id }]);
  assert.equal((await site.sql`select 1 from mail_copies where template = 'second-factor-removed'`).length, 1);
  assert.match((await people.admin.get("/admin/audit")).text, /Second factor of a member removed/);
  assert.match((await people.admin.get("/de/admin/audit")).text, /Zweiten Faktor eines Mitglieds entfernt/);

  // One's own is switched off in the settings, where the password is asked for.
  await giveSecondFactor(adminId);
  const own = await people.admin.post(`/admin/people/${adminId}/second-factor`, { confirm: "admin@example.org" });
  assert.equal(own.status, 409);
  assert.equal((await site.sql`select 1 from two_factors where user_id = ${adminId}`).length, 1);
  await site.sql`delete from two_factors where user_id = ${adminId}`;
  await site.sql`update users set two_factor_enabled = false where user_id = ${adminId}`;
});

test("an admin neither bans nor deletes themselves, and the last one keeps the role", async () => {
  const page = `/admin/people/${adminId}`;
  assert.equal((await people.admin.post(page, { intent: "ban", reason: "me", lasts: "1" })).status, 409);
  assert.equal((await people.admin.post(`${page}/delete`, { confirm: "admin@example.org" })).status, 409);
  const demoted = await people.admin.post(page, { intent: "role", role: "user" });
  assert.equal(demoted.status, 409);
  assert.match(demoted.text, /last admin/);
  assert.equal((await people.admin.get("/admin/people")).status, 200);
});

test("a deleted account is gone with what hangs on it; the row that says so stays", async () => {
  const { at, user } = await site.signedIn("leaver@example.org");
  const page = `/admin/people/${user.id}/delete`;
  assert.match((await people.admin.get(page)).text, /Sessions: 1/);
  assert.equal((await people.admin.post(page, { confirm: "somebody@example.org" })).status, 422);
  const gone = await people.admin.post(page, { confirm: "leaver@example.org" });
  assert.equal(gone.location, "/admin/people?done=deleted");
  assert.equal(await site.isSignedIn(at), false);
  assert.equal((await site.sql`select 1 from users where email = 'leaver@example.org'`).length, 0);
  assert.equal((await site.sql`select 1 from erased_accounts`).length, 1);
  const rows = await site.sql`select actor_id from audit_events where what = 'member-deleted'`;
  assert.deepEqual(
    rows.map((row) => row.actor_id),
    [adminId],
  );
  assert.equal((await people.admin.post(page, { confirm: "leaver@example.org" })).status, 410);
});

test("the dashboard says why mails failed, not whose they were", async () => {
  const reason =
    "550 5.1.1 <Bob.Player@example.org> unknown; no bob.player here, bounces=bob.player+x=y@mx.example.net";
  await site.sql`insert into notification_deliveries (channel, mail_to, locale, template, next_attempt_at, state, last_error)
    values ('mail', 'bob.player@example.org', 'en', 'sign-in-code', null, 'failed', ${reason})`;
  for (const path of ["/admin/dashboard", "/admin/dashboard.data"]) {
    const { text } = await people.moderator.get(path);
    assert.match(text, /550 5\.1\.1/);
    assert.doesNotMatch(text, /bob\.player|@mx\.example/i, path);
  }
});

test("an admin sees that somebody had an account before, while that is kept", async () => {
  const page = async (email: string) => (await people.admin.get(`/admin/people/${(await site.member(email)).id}`)).text;
  assert.match(await page("leaver@example.org"), /Earlier account.*from .* to .*; erased/s);
  assert.doesNotMatch(await page("newcomer@example.org"), /Earlier account/);
});

test("a blocked range gets nothing, at once and on every address but those of supervisors; one's own is refused", async () => {
  const outside = site.browser("198.51.100.77");
  const inside = site.browser("192.0.2.5");
  assert.equal((await outside.get("/")).status, 200);
  const add = (network: string) => people.admin.post("/admin/people/blocked", { network, reason: "Floods", days: "1" });
  for (const wrong of ["", "somewhere", "0.0.0.0/0", "198.51.100.0/99"])
    assert.equal((await add(wrong)).status, 422, wrong);
  const own = await add("198.18.0.0/16");
  assert.equal(own.status, 409);
  assert.match(own.text, /Your own address/);
  const [within, beside] = await Promise.all([openStream(outside, "198.51.100.77"), openStream(inside, "192.0.2.5")]);
  let besideEnded = false;
  void beside.ended.then(() => {
    besideEnded = true;
  });
  assert.equal((await add("198.51.100.9/24")).status, 200);
  assert.match(await within.ended, /event: bye/, "what it had open is cut");
  assert.equal((await add("198.51.100.0/24")).status, 409, "twice");
  await pause(300);
  for (const path of ["/", "/login/", "/live", "/api/v1/heartbeat", "/theme.js"]) {
    const answer = await outside.get(path);
    assert.equal(answer.status, 403, path);
    assert.equal(answer.headers.get("cache-control"), "no-store");
  }
  assert.equal((await outside.get("/livez")).status, 200);
  assert.equal((await inside.get("/")).status, 200);
  assert.equal(besideEnded, false);
  beside.close();
  const [row] = await site.sql`select block_id, network from ip_blocks`;
  assert.equal(row?.network, "198.51.100.0/24");
  await people.admin.post("/admin/people/blocked", { intent: "lift", block_id: String(row?.block_id) });
  await pause(300);
  assert.equal((await outside.get("/")).status, 200);
  assert.deepEqual([await audited("address-blocked"), await audited("address-unblocked")], [1, 1]);
});

test("a block ends by itself", async () => {
  const at = site.browser("203.0.113.200");
  await site.sql`insert into ip_blocks (network, reason, blocked_until) values ('203.0.113.200/32', 'short', now() + interval '1 second')`;
  await pause(300);
  assert.equal((await at.get("/")).status, 403);
  await pause(1_100);
  assert.equal((await at.get("/")).status, 200);
});

test("people are found by a part of their name or address, be they few or very many", async () => {
  const find = async (query: string) => {
    const { text, status } = await people.admin.get(`/admin/people?${query}`);
    assert.equal(status, 200);
    return { text, names: [...text.matchAll(/>(Crowd-\d+)</g)].map(([, name]) => name) };
  };
  await site.sql.unsafe(`
    insert into users (email, email_verified, created_at)
      select 'crowd-' || n || '@many.example', true, now() - interval '1 day' - n * interval '1 minute' from generate_series(1, 10500) n;
    insert into profiles (user_id, user_nick_name)
      select user_id, 'Crowd-' || substring(email from '[0-9]+') from users where email like '%@many.example';
    insert into roles (user_id, role) select user_id, 'user' from users where email like '%@many.example'`);
  assert.deepEqual((await find("q=CROWD-10499")).names, ["Crowd-10499"]);
  assert.deepEqual((await find("q=crowd-777@many")).names, ["Crowd-777"]);
  assert.deepEqual((await find("q=100%25")).names, []);

  const many = await find("q=many.example&page=2");
  assert.deepEqual([many.names.length, many.names[0], many.names.at(-1)], [50, "Crowd-51", "Crowd-100"]);
  const last = await find("q=many.example&page=9000");
  assert.equal(last.names.at(-1), "Crowd-1000");
  assert.ok(last.text.includes("search more closely"));
  const byName = await find("q=many.example&sort=-user_nick_name");
  assert.deepEqual(byName.names.slice(0, 2), ["Crowd-9999", "Crowd-9998"]);
});

/** As many as the pool has connections: more would wait for one, on a slow machine for longer than the pool lets them. */
const RACERS = 10;

/** Admins, each of whom another one takes away at the same moment. */
async function race(act: (actorId: string, userId: string, email: string) => Promise<{ ok: boolean }>, name: string) {
  const { db } = site.database;
  await site.sql`update roles set role = 'user' where role <> 'user'`;
  const admins = await Promise.all(
    Array.from({ length: RACERS }, async (_, n) => ({
      email: `${name}${n}@example.org`,
      id: (await site.member(`${name}${n}@example.org`)).id,
    })),
  );
  for (const { id } of admins) await updateRole(db, id, "admin");
  const outcomes = await Promise.all(
    admins.map(({ id, email }, n) => act(admins[(n + 1) % admins.length]?.id ?? "", id, email)),
  );
  const [left] = await site.sql<{ n: number }[]>`
    select count(*)::int as n from users join roles using (user_id)
    where role = 'admin' and deactivated_at is null and coalesce(banned_until, '-infinity') < now()`;
  assert.equal(left?.n, 1, name);
  assert.equal(outcomes.filter(({ ok }) => ok).length, RACERS - 1, name);
}

test("in a race of ten one admin stays: demoted, banned, deleted", async () => {
  const { db } = site.database;
  const by = (user_id: string) => ({ user_id, origin: ORIGIN });
  await race((actor, user) => changeRole(db, by(actor), user, "user"), "demoted");
  await race((actor, user) => banUser(db, by(actor), user, { reason: "race", lasts: "1" }), "banned");
  await race((actor, user, email) => removeUser(db, by(actor), user, email), "deleted");
  await race((actor, user, email) => {
    const each = user.charCodeAt(0) % 3;
    if (each === 0) return changeRole(db, by(actor), user, "moderator");
    return each === 1
      ? banUser(db, by(actor), user, { reason: "race", lasts: "good" })
      : removeUser(db, by(actor), user, email);
  }, "mixed");
});
