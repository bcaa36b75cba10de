/** Being told by email, and ending it: refusals first, then the mail, its one-click end, the daily mail, and the settings. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { seedDemoContent } from "#demo/demo-content.ts";
import { writeDueDigests } from "#domain/notifications/digests.ts";
import { recordEvent } from "#domain/notifications/events.ts";
import { type AccountSite, startAccountSite } from "#tests/helpers/account-site.ts";
import type { Browser } from "#tests/helpers/browser.ts";
import { readableMail } from "#tests/helpers/mail-server.ts";

let site: AccountSite;
let server: { server_id: number; game_id: number };

before(async () => {
  site = await startAccountSite();
  await seedDemoContent(site.database.db);
  await site.sql`update gameserver set visibility = 'public'`;
  const [first] = await site.sql<
    (typeof server)[]
  >`select server_id, game_id from gameserver order by server_id limit 1`;
  assert.ok(first);
  server = first;
});
after(() => site.stop());

const followsOf = (userId: string) => site.sql<{ follow_id: string; kind: string; threshold: number | null }[]>`
  select follow_id, f.kind, threshold from follows f join notification_targets using (target_id) where user_id = ${userId}`;

const ask = (at: Browser, fields: Record<string, string>) =>
  at.post("/following/mail", { intent: "follow", ...fields });

/** News about the game server, told at once. */
const tell = (key: string, title: string) =>
  recordEvent(site.database.db, {
    kind: "news",
    about: { server_id: server.server_id },
    facts: { title: { en: title, de: title }, text: { en: "", de: "" } },
    dedupe_key: `news:${key}`,
  });

async function until<Value>(find: () => Promise<Value | null | undefined | false>): Promise<Value> {
  for (let attempt = 0; attempt < 4_800; attempt += 1) {
    const found = await find();
    if (found) return found;
    await pause(25);
  }
  assert.fail("it did not come true in time");
}

/** The mails to an address, as they lie in the outbox. */
async function mailsTo(address: string): Promise<string[]> {
  const outbox = path.join(site.dataDir, "outbox");
  const files = (await readdir(outbox).catch(() => [])).filter((file) => file.endsWith(".eml")).sort();
  const mails = await Promise.all(files.map((file) => readFile(path.join(outbox, file), "utf8")));
  return mails.filter((mail) => mail.includes(`To: ${address}`));
}

const newestMailTo = (address: string, about: string) =>
  until(async () => (await mailsTo(address)).find((mail) => readableMail(mail).includes(about)));

/** Where the one-click end of a mail is, as its header says it (RFC 2369: between angle brackets, folded where it is long). */
function endLinkOf(mail: string): string {
  const unfolded = mail.replaceAll(/\r\n[ \t]+/g, "");
  assert.match(unfolded, /^List-Unsubscribe-Post: ?List-Unsubscribe=One-Click\r$/im);
  const link = /^List-Unsubscribe: ?<([^>]+)>/im.exec(unfolded)?.[1];
  assert.ok(link, "the mail has no List-Unsubscribe");
  const { pathname, search } = new URL(link);
  return pathname + search;
}

/** As a mail program does it: no cookie, no header of a browser. */
const pressOneClick = (at: string) =>
  fetch(site.base + at, { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) });

test("nobody follows by email who is not logged in, what is hidden, nonsense, or more than thirty things", async () => {
  const nobody = site.browser();
  assert.match((await ask(nobody, { kind: "news" })).location ?? "", /\/login\//);
  const { at, user } = await site.signedIn("refused@example.org");
  const [hidden] = await site.sql<{ server_id: number }[]>`
    update gameserver set visibility = 'hidden' where server_id = (select max(server_id) from gameserver) returning server_id`;
  const refusals: [Record<string, string>, number][] = [
    [{ kind: "server_up", server_id: String(hidden?.server_id) }, 404],
    [{ kind: "server_up", server_id: "999999" }, 404],
    [{ kind: "security" }, 422],
    [{ kind: "players_reached", server_id: String(server.server_id) }, 422],
    [{ kind: "players_reached", server_id: String(server.server_id), threshold: "0" }, 422],
    [{ kind: "server_up", server_id: String(server.server_id), threshold: "5" }, 422],
    [{ kind: "server_up", server_id: "1", game_id: "1" }, 422],
    [{ kind: "server_up", server_id: "9e9" }, 422],
  ];
  for (const [fields, status] of refusals) assert.equal((await ask(at, fields)).status, status, JSON.stringify(fields));
  assert.deepEqual([...(await followsOf(user.id))], []);
  const wish = { kind: "players_reached", server_id: String(server.server_id), threshold: "1" };
  assert.equal((await ask(at, wish)).status, 200);
  assert.equal((await ask(at, wish)).status, 200, "the same once more");
  await site.sql`insert into follows (target_id, server_id, kind, threshold)
    select target_id, server_id, kind, n from follows, generate_series(2, 30) n`;
  assert.equal((await ask(at, { kind: "news" })).status, 409);

  // What is somebody else's stays, whoever knows its id.
  const [theirs] = await followsOf(user.id);
  const other = await site.signedIn("other@example.org");
  await other.at.post("/following/mail", { intent: "end", follow_id: theirs?.follow_id ?? "" });
  await other.at.post("/following", { intent: "end", follow_id: theirs?.follow_id ?? "" });
  assert.equal((await followsOf(user.id)).length, 30);
});

test("a mail is ended by its link without logging in: opening it ends nothing, one press does, and can be taken back", async () => {
  const email = "follower@example.org";
  const { at, user } = await site.signedIn(email);
  const followed = await ask(at, { kind: "news", server_id: String(server.server_id) });
  assert.equal(followed.status, 200);
  assert.match(followed.text, /"kind":"news"/);
  await tell("one", "A new map");
  const mail = await newestMailTo(email, "A new map");
  const link = endLinkOf(mail);
  assert.match(readableMail(mail), /End these emails with one press/);

  const nobody = site.browser();
  const page = await nobody.get(link);
  assert.equal(page.status, 200);
  assert.equal(page.headers.get("referrer-policy"), "no-referrer");
  assert.equal((await followsOf(user.id)).length, 1, "opening the link has ended it");
  // One character less is a link of somebody else's making.
  const forged = await pressOneClick(link.slice(0, -1));
  assert.equal(forged.status, 422);
  assert.equal((await followsOf(user.id)).length, 1, "a forged link has ended it");

  assert.equal((await pressOneClick(link)).status, 200);
  assert.deepEqual([...(await followsOf(user.id))], []);
  await tell("two", "Never to be read");
  await until(
    async () =>
      (await site.sql`select from notification_events where dedupe_key = 'news:two' and fanned_out_at is not null`)
        .length > 0,
  );
  assert.deepEqual([...(await site.sql`select from notification_deliveries where dedupe_key like 'news:two %'`)], []);
  assert.equal((await pressOneClick(link)).status, 200, "once more");

  // Taken back by whoever pressed by hand.
  await ask(at, { kind: "news", server_id: String(server.server_id) });
  const ended = await nobody.post(link, { intent: "end" });
  const token = /name="ended" value="([^"]+)"/.exec(ended.text)?.[1] ?? "";
  assert.equal((await nobody.post(link, { intent: "again", ended: `${token}x` })).status, 422);
  assert.deepEqual([...(await followsOf(user.id))], []);
  assert.equal((await nobody.post(link, { intent: "again", ended: token })).status, 200);
  assert.deepEqual(
    (await followsOf(user.id)).map(({ kind }) => kind),
    ["news"],
  );
});

/** A time zone in which it is this hour now. */
function zoneAt(hour: number): string {
  const ahead = ((hour - new Date().getUTCHours() + 36) % 24) - 12;
  return ahead === 0 ? "Etc/GMT" : `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`;
}

test("one mail a day: at its hour, once, with all that was held, not in quiet hours, and ended by its link", async () => {
  const email = "daily@example.org";
  const { at, user } = await site.signedIn(email);
  const early = await site.signedIn("early@example.org");
  const save = (who: Browser, zone: string, more: Record<string, string> = {}) =>
    who.post("/user/settings/notifications", {
      intent: "save",
      mail_on: "on",
      digest: "daily",
      time_zone: zone,
      ...more,
    });
  assert.equal((await save(at, zoneAt(20))).status, 302);
  assert.equal((await save(early.at, zoneAt(9))).status, 302);
  for (const who of [at, early.at]) assert.equal((await ask(who, { kind: "news" })).status, 200);
  await tell("three", "First of the day");
  await tell("four", "Second of the day");
  const held = (userId: string) => site.sql`
    select from notification_deliveries join notification_targets using (target_id) where user_id = ${userId} and state = 'held'`;
  await until(async () => (await held(user.id)).length === 2 && (await held(early.user.id)).length === 2);

  // Two processes at once write one mail.
  const written = await Promise.all([writeDueDigests(site.database.db), writeDueDigests(site.database.db)]);
  assert.ok(written[0] + written[1] <= 1);
  const mail = await newestMailTo(email, "First of the day");
  assert.match(readableMail(mail), /Second of the day/);
  assert.equal((await held(early.user.id)).length, 2, "in the morning it is not its hour");
  assert.equal(await writeDueDigests(site.database.db), 0);
  assert.equal((await mailsTo(email)).length, 1);

  // What is held after it waits for the next day, and then for the end of the quiet hours.
  await tell("five", "In the night");
  await until(async () => (await held(user.id)).length === 1);
  assert.equal(await writeDueDigests(site.database.db), 0);
  assert.equal((await save(at, zoneAt(20), { quiet: "on", quiet_from: "19:00", quiet_to: "23:00" })).status, 302);
  await site.sql`update notification_preferences set digest_of = digest_of - 1 where user_id = ${user.id}`;
  // The day's name is in its key.
  await site.sql`update notification_deliveries set dedupe_key = 'of yesterday' where dedupe_key like 'digest %'`;
  await writeDueDigests(site.database.db);
  const [waiting] = await until(async () => {
    const rows = await site.sql<{ later: boolean }[]>`
      select next_attempt_at > now() + interval '1 hour' as later from notification_deliveries where dedupe_key like 'digest %'`;
    return rows.length > 0 && rows;
  });
  assert.equal(waiting?.later, true);

  assert.equal((await pressOneClick(endLinkOf(mail))).status, 200);
  const [preferences] = await site.sql`select mail_on, digest from notification_preferences where user_id = ${user.id}`;
  assert.deepEqual({ ...preferences }, { mail_on: false, digest: "daily" });
  // Following by email again asks for mails.
  await ask(at, { kind: "plan_soon" });
  const [again] = await site.sql`select mail_on from notification_preferences where user_id = ${user.id}`;
  assert.equal(again?.mail_on, true);
});

test("the settings refuse nonsense, and remove a member's own devices alone", async () => {
  const { at, user } = await site.signedIn("settings@example.org");
  const page = "/user/settings/notifications";
  const good = {
    intent: "save",
    mail_on: "on",
    digest: "none",
    time_zone: "Europe/Berlin",
    quiet: "on",
    quiet_from: "22:00",
  };
  for (const bad of [
    { quiet_to: "25:00" },
    { quiet_to: "22:00" },
    { quiet_to: "08:00", time_zone: "Mars/Olympus" },
    { quiet_to: "08:00", time_zone: "+02:00" },
  ]) {
    const answer = await at.post(page, { ...good, ...bad });
    assert.equal(answer.status, 422, JSON.stringify(bad));
    assert.match(answer.text, /aria-invalid="true"/);
  }
  assert.equal((await at.post(page, { ...good, quiet_to: "08:00" })).status, 302);
  const [saved] =
    await site.sql`select quiet_from, quiet_to, time_zone from notification_preferences where user_id = ${user.id}`;
  assert.deepEqual({ ...saved }, { quiet_from: 1320, quiet_to: 480, time_zone: "Europe/Berlin" });

  const { user: other } = await site.signedIn("neighbour@example.org");
  const [theirs, own] = await site.sql<{ target_id: string }[]>`
    insert into notification_targets (kind, user_id, address_hash) values ('push', ${other.id}, 'theirs'), ('push', ${user.id}, 'own')
    returning target_id`;
  for (const target of [theirs, own]) await at.post(page, { intent: "end-device", target_id: target?.target_id ?? "" });
  const left = await site.sql`select target_id from notification_targets where address_hash in ('theirs', 'own')`;
  assert.deepEqual(
    left.map(({ target_id }) => target_id),
    [theirs?.target_id],
  );
});
