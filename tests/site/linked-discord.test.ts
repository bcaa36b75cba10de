/** A Discord account as a way into an account: linked by its owner alone, shown to them, and taken away by them or with the mailbox. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type AccountSite, PASSWORD, startAccountSite } from "#tests/helpers/account-site.ts";
import type { Browser } from "#tests/helpers/browser.ts";
import { answerAsDiscord, type DiscordProfile } from "#tests/helpers/discord/sign-in.ts";

const SECURITY = "/user/settings/security";
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

/** To Discord and back by one of the two forms that lead there. */
async function goToDiscord(at: Browser, profile: DiscordProfile, by = "/api/auth/discord?next=/dashboard") {
  const away = await at.post(by, {});
  return discord.comeBack(at, profile, away.location);
}
const LINK = `/api/auth/discord/link?next=${SECURITY}`;
const linksOf = async (userId: string) =>
  (
    await site.sql`select provider_account_id as id from accounts where user_id = ${userId} and provider = 'discord'`
  ).map(({ id }) => String(id));
const writtenOf = async (userId: string) =>
  (
    await site.sql`select what from audit_events where actor_id = ${userId} and what like 'discord-%' order by event_id`
  ).map(({ what }) => String(what));
const accountOf = async (userId: string) => {
  const [row] = await site.sql`select account_id from accounts where user_id = ${userId} and provider = 'discord'`;
  return String(row?.account_id);
};
const linked = (userId: string, discordId: string) =>
  site.sql`insert into accounts (user_id, provider, provider_account_id) values (${userId}, 'discord', ${discordId})`;
const isOut = async (profile: DiscordProfile) => {
  const at = site.browser();
  const to = await goToDiscord(at, profile);
  assert.equal(await site.isSignedIn(at), false, to);
  assert.equal(to, "/login/?refused=discord");
};
const grow = (userId: string) =>
  site.sql`update users set created_at = now() - interval '1 day' where user_id = ${userId}`;

test("an address that was confirmed at Discord at some time is no way into the account that has it here", async () => {
  const { id } = await site.member("held@example.org");
  await grow(id);
  await isOut({ id: "7001", email: "held@example.org", verified: true });
  assert.deepEqual(await linksOf(id), []);
});

test("a reset takes linked Discord accounts away, also one that is being linked meanwhile, and none comes back by its address", async () => {
  const email = "regained@example.org";
  const { at, user } = await site.signedIn(email);
  await grow(user.id);
  await linked(user.id, "7101");
  const stranger = { id: "7101", email, verified: true };
  const away = await at.post(LINK, {});
  await site.browser().post("/forgot-password", { email });
  const owner = site.browser();
  const reset = await owner.post(await site.linkTo(email), { password: "another harbour lamp" });
  assert.equal(reset.status, 200);
  assert.match(reset.text, /Discord/);
  assert.deepEqual(await linksOf(user.id), []);
  await discord.comeBack(at, { id: "7102", email, verified: true }, String(away.location));
  assert.deepEqual(await linksOf(user.id), [], "begun before the reset");
  await isOut(stranger);
  assert.deepEqual(await writtenOf(user.id), ["discord-unlinked"]);
});

test("a change of address takes them away as well, and leads to the passkeys that are left", async () => {
  const [from, to] = ["leaves@example.org", "arrives@example.org"];
  const { at, user } = await site.signedIn(from);
  await grow(user.id);
  await linked(user.id, "7201");
  await site.sql`insert into passkeys (user_id, public_key, credential_id, counter, device_type, backed_up)
    values (${user.id}, 'x', 'leaves', 0, 'singleDevice', false)`;
  await at.post("/user/settings/account", { intent: "email", email: to });
  const links = [await site.linkTo(from), await site.linkTo(to)];
  assert.equal((await site.browser().post(links[0] ?? "", {})).status, 200);
  assert.deepEqual(await linksOf(user.id), ["7201"], "one yes changes nothing");
  assert.equal((await site.browser().post(links[1] ?? "", {})).status, 200);
  assert.deepEqual(await linksOf(user.id), []);
  await isOut({ id: "7201", email: to, verified: true });
  assert.match(String((await site.signIn(site.browser(), to)).location), /check-passkeys/);
});

test("linking asks for somebody who is signed in and has just shown who they are, and for their own address", async () => {
  const email = "links@example.org";
  const { at, user } = await site.signedIn(email);
  await grow(user.id);
  const own = { id: "7301", email, verified: true };
  assert.match(String((await site.browser().post(LINK, {})).location), /^\/login\/\?next=/);
  await site.sql`update sessions set created_at = now() - interval '16 min' where user_id = ${user.id}`;
  assert.match(String((await at.post(LINK, {})).location), /^\/user\/reauthenticate\?next=/);
  await site.sql`update sessions set created_at = now() where user_id = ${user.id}`;
  for (const wrong of [
    { ...own, email: "another@example.org" },
    { ...own, verified: false },
  ]) {
    const to = await goToDiscord(at, wrong, LINK);
    assert.equal(to, `${SECURITY}?discord=refused`);
    assert.match((await at.get(to)).text, /Discord account wasn’t connected/);
  }
  const away = await at.post(LINK, {});
  const { at: other } = await site.signedIn("other-links@example.org");
  for (const [name, value] of at.cookies) if (/state/.test(name)) other.cookies.set(name, value);
  await discord.comeBack(other, own, String(away.location));
  assert.deepEqual(await linksOf(user.id), [], "somebody else's browser");

  assert.equal(await goToDiscord(at, own, LINK), `${SECURITY}?discord=linked`);
  assert.deepEqual(await linksOf(user.id), ["7301"]);
  assert.equal((await site.newestMail(email)).data.what, "discord-linked");
  assert.equal(await goToDiscord(site.browser(), own), "/dashboard");
  assert.equal(await goToDiscord(site.browser(), { ...own, email: "elsewhere@example.org" }), "/dashboard");
  const { at: second, user: rival } = await site.signedIn("rival@example.org");
  const taken = await goToDiscord(second, { ...own, email: "rival@example.org" }, LINK);
  assert.equal(taken, `${SECURITY}?discord=refused`, "it is another account's");
  assert.deepEqual(await linksOf(rival.id), []);
});

test("linking begins by a form of the site alone, and Discord asks whether to go on", async () => {
  const { at, user } = await site.signedIn("deliberate@example.org");
  const opened = await at.get(LINK);
  const lured = await at.post(LINK, {}, { "Sec-Fetch-Site": "cross-site", Origin: "https://evil.example" });
  assert.deepEqual([opened.status, lured.status], [404, 403]);
  for (const { location, setCookies } of [opened, lured]) assert.deepEqual([location, setCookies], [null, []]);
  assert.deepEqual(await linksOf(user.id), []);
  const page = await at.get(SECURITY);
  assert.match(
    page.text,
    /<form(?=[^>]* method="post")[^>]* action="\/api\/auth\/discord\/link\?next=%2Fuser%2Fsettings%2Fsecurity"/,
  );
  const away = await at.post(LINK, {});
  assert.equal(away.status, 303);
  const to = new URL(String(away.location));
  assert.deepEqual([to.origin, to.searchParams.get("prompt")], ["https://discord.com", "consent"]);
});

test("the security page shows linked accounts and takes them away, in both languages; nobody else's", async () => {
  const email = "shows@example.org";
  const { at, user } = await site.signedIn(email);
  await grow(user.id);
  await linked(user.id, "7401");
  const fields = { intent: "discord-unlink", account_id: await accountOf(user.id) };
  assert.match((await at.get(SECURITY)).text, /Disconnect/);
  assert.match((await at.get(`/de${SECURITY}`)).text, /Verbindung trennen/);
  const { at: stranger } = await site.signedIn("strange@example.org");
  assert.doesNotMatch((await stranger.get(SECURITY)).text, /Disconnect/);
  await stranger.post(SECURITY, fields);
  await site.sql`update sessions set created_at = now() - interval '16 min' where user_id = ${user.id}`;
  assert.doesNotMatch((await at.get(SECURITY)).text, /Disconnect/);
  assert.match(String((await at.post(SECURITY, fields)).location), /reauthenticate/);
  assert.deepEqual(await linksOf(user.id), ["7401"]);
  await site.sql`update sessions set created_at = now() where user_id = ${user.id}`;
  const password =
    await site.sql`select account_id from accounts where user_id = ${user.id} and provider = 'credential'`;
  await at.post(SECURITY, { ...fields, account_id: String(password[0]?.account_id) });
  assert.equal((await site.signIn(site.browser(), email, PASSWORD)).status, 302, "a password is none of them");
  const done = await at.post(SECURITY, fields);
  assert.equal(done.status, 200);
  assert.match(done.text, /Discord account disconnected/);
  assert.deepEqual(await linksOf(user.id), []);
  assert.deepEqual(await writtenOf(user.id), ["discord-unlinked"]);
  assert.equal((await site.newestMail(email)).data.what, "discord-unlinked");
  await isOut({ id: "7401", email, verified: true });
});

test("the only way in but a mailed code stays, and the page says why and what to do", async () => {
  const at = site.browser();
  const person = { id: "7501", email: "only-discord@example.org", verified: true };
  assert.equal(await goToDiscord(at, person), "/dashboard");
  const [user] = await site.sql<{ id: string }[]>`select user_id as id from users where email = ${person.email}`;
  const id = String(user?.id);
  const fields = { intent: "discord-unlink", account_id: await accountOf(id) };
  const refused = await at.post(SECURITY, fields);
  assert.equal(refused.status, 409);
  assert.match(refused.text, /has no password/);
  assert.match((await at.post(`/de${SECURITY}`, fields)).text, /hat kein Passwort/);
  assert.deepEqual(await linksOf(id), ["7501"]);
  await site.sql`insert into passkeys (user_id, public_key, credential_id, counter, device_type, backed_up)
    values (${id}, 'x', 'only-discord', 0, 'singleDevice', false)`;
  assert.equal((await at.post(SECURITY, fields)).status, 200);
  assert.deepEqual(await linksOf(id), []);
});

test("who has changed the password is told of what opens the account besides, and where to look at it", async () => {
  const email = "changes@example.org";
  const { at, user } = await site.signedIn(email);
  const change = (current: string, next: string, language = "") =>
    at.post(`${language}/user/settings/account`, { intent: "password", current, next });
  const alone = await change(PASSWORD, "a boat beside the lamp");
  assert.match(alone.text, /Your password is changed/);
  assert.doesNotMatch(alone.text, /still open/, "there is nothing else");

  await linked(user.id, "7601");
  const refused = await change("wrong", "a second boat there");
  assert.doesNotMatch(refused.text, /still open/, "nothing was changed");
  const answer = await change("a boat beside the lamp", "a second boat there");
  assert.match(answer.text, /connected Discord accounts still open your account.*href="\/user\/settings\/security"/s);

  await site.sql`delete from accounts where user_id = ${user.id} and provider = 'discord'`;
  await site.sql`insert into passkeys (user_id, public_key, credential_id, counter, device_type, backed_up)
    values (${user.id}, 'x', 'changes', 0, 'singleDevice', false)`;
  const german = await change("a second boat there", "a third boat is here", "/de");
  assert.match(german.text, /Deine Passkeys.*öffnen dein Konto weiterhin.*href="\/de\/user\/settings\/security"/s);
});
