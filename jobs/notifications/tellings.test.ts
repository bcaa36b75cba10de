/** From what happens to a game server to the mailbox of who asked: once, only what is still so, and only to whom may see it. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { after, before, beforeEach, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { pino } from "pino";
import { readConfig } from "#config";
import { createUser } from "#domain/accounts/users.ts";
import { queueMail } from "#domain/mails.ts";
import { recordEvent } from "#domain/notifications/events.ts";
import { follow, listFollows } from "#domain/notifications/follows.ts";
import { makeDefaultRules } from "#domain/notifications/rules.ts";
import { registerMailbox, registerTarget } from "#domain/notifications/targets.ts";
import { createMailer } from "#outside/mail.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { type MailServer, startMailServer } from "#tests/helpers/mail-server.ts";
import { until } from "#tests/helpers/until.ts";
import { SCHEDULE } from "../schedule.ts";
import type { WebParts } from "../web-schedule.ts";

const SECRET = "a secret of thirty-two characters";
const log = pino({ level: "silent" });
let database: TestDatabase;
let server: MailServer;
let gameId: number;
let answer: () => [number, string] | null | Promise<null> = () => null;

before(async () => {
  database = await createTestDatabase();
  server = await startMailServer({ message: () => answer() });
  const [game] = await database.sql<{ game_id: number }[]>`
    insert into games (game_name, game_acronym, game_slug, tagline, description)
    values ('Valheim', 'VH', 'valheim', '{"en":""}', '{"en":""}') returning game_id`;
  gameId = game?.game_id ?? 0;
});

after(async () => {
  await server?.close();
  await database?.drop();
});

beforeEach(async () => {
  await database.sql`delete from notification_events`;
  await database.sql`delete from notification_deliveries`;
  await database.sql`delete from notification_targets`;
  await database.sql`delete from notification_preferences`;
  await database.sql`delete from gameserver`;
  server.received.length = 0;
  answer = () => null;
});

const parts = (over: { signal?: AbortSignal } = {}) =>
  ({
    db: database.db,
    secret: SECRET,
    mailer: createMailer({ smtpUrl: server.url, mailFrom: "site@example.org", dataDir: "/nonexistent" }),
    mailSite: () => ({ name: "Spawnpoint", url: "https://play.example.org" }),
    siteUrl: "https://play.example.org",
    config: readConfig({ DATABASE_URL: database.url }),
    log,
    signal: AbortSignal.timeout(60_000),
    ...over,
  }) as WebParts & { signal: AbortSignal };

const fanOut = () => SCHEDULE.web.notifications.run(parts());
const send = () => SCHEDULE.web.mails.run(parts());
async function tell(): Promise<string[]> {
  server.received.length = 0;
  await fanOut();
  await send();
  return server.received.map(({ to, raw }) => `${to[0]}: ${/^Subject: (.*)$/m.exec(raw)?.[1]}`).sort();
}

async function makeServer(visibility = "public", name = "Midgard"): Promise<number> {
  const [row] = await database.sql<{ server_id: number }[]>`
    insert into gameserver (game_id, server_name, host, game_port, adapter, visibility)
    values (${gameId}, ${name}, '127.0.0.1', 2456, 'a2s', ${visibility}) returning server_id`;
  return row?.server_id ?? 0;
}

/** What the collector has found out: asked just now, in this status for so long. */
const is = (id: number, status: string, since = "0 s", online: number | null = null) =>
  database.sql`update gameserver_live_metrics set status = ${status}, status_since = now() - ${since}::interval,
    last_asked_at = now(), user_online = ${online} where server_id = ${id}`;

let events = 0;
const happens = (kind: "server_up" | "server_down" | "players_reached", server_id: number, facts = {}) => {
  events += 1;
  // A second ago: whatever the test says of the game server is newer.
  const happened_at = new Date(Date.now() - 1000);
  return recordEvent(database.db, { kind, about: { server_id }, facts, dedupe_key: `${kind}:${events}`, happened_at });
};

/** A member whose mailbox follows something. */
async function follower(name: string, ...wishes: Parameters<typeof follow>[2][]) {
  const email = `${name}@example.org`;
  const [there] = await database.sql<{ user_id: string }[]>`select user_id from users where email = ${email}`;
  const id =
    there?.user_id ??
    (await createUser(database.db, { email, passwordHash: null, locale: "en", emailVerified: true })).id;
  const target = await registerMailbox(database.db, id, "en");
  for (const wish of wishes) assert.deepEqual((await follow(database.db, target, wish)).ok, true);
  return { id, target };
}

const states = async () =>
  (await database.sql<{ state: string }[]>`select state from notification_deliveries order by state`).map(
    (r) => r.state,
  );

test("back for sure is told, once; back for a moment is not", async () => {
  const id = await makeServer();
  await follower("ada", { server_id: id, kind: "server_up" });
  await is(id, "online");
  await happens("server_up", id);
  await database.sql`update gameserver_live_metrics set last_asked_at = (select happened_at from notification_events)`;
  assert.deepEqual(await tell(), [], "one answer is not enough");
  await is(id, "offline");
  await database.sql`update notification_events set not_before = now()`;
  assert.deepEqual(await tell(), []);
  const [gone] = await database.sql`select outcome from notification_events`;
  assert.equal(gone?.outcome, "untrue");

  await happens("server_up", id);
  await is(id, "online");
  assert.deepEqual(await tell(), ["ada@example.org: Midgard is back"]);
  assert.deepEqual(await tell(), []);
});

test("down, then in maintenance, then up: that it is back is told when the maintenance is over; without the outage nothing is", async () => {
  const [down, planned] = [await makeServer(), await makeServer("public", "Utgard")];
  for (const server_id of [down, planned]) await follower("ada", { server_id, kind: "server_up" });
  const changes = (server_id: number, status: string, ago: string) =>
    database.sql`insert into gameserver_status_event (server_id, from_status, to_status, changed_at)
      values (${server_id}, ${status === "online" ? "offline" : "online"}, ${status}, now() - ${ago}::interval)`;
  await changes(down, "offline", "20 minutes");
  await changes(planned, "online", "1 day");
  await database.sql`update gameserver set lifecycle = 'maintenance'`;
  await database.sql`update gameserver_watch_gap set starts_at = now() - interval '10 minutes' where ends_at is null`;
  await changes(planned, "offline", "5 minutes");
  for (const server_id of [down, planned]) {
    await changes(server_id, "online", "1 second");
    await happens("server_up", server_id);
    await is(server_id, "online");
  }
  assert.deepEqual(await tell(), [], "somebody works there");
  // Longer than a return is worth telling for.
  await database.sql`update notification_events set not_before = now(), expires_at = now() - interval '1 minute'`;
  assert.deepEqual(await tell(), []);
  await database.sql`update gameserver set lifecycle = 'active'`;
  await database.sql`update notification_events set not_before = now()`;
  assert.deepEqual(await tell(), [], "it was not asked since");
  for (const server_id of [down, planned]) await is(server_id, "online");
  await database.sql`update notification_events set not_before = now()`;
  assert.deepEqual(await tell(), ["ada@example.org: Midgard is back"]);
  assert.deepEqual(await tell(), []);
});

test("as many players as wanted: one fewer for a moment is waited for, clearly fewer ends it", async () => {
  const id = await makeServer();
  await follower("ada", { server_id: id, kind: "players_reached", threshold: 30 });
  const counts = async (online: number) => {
    await is(id, "online", "1 hour", online);
    await database.sql`update notification_events set not_before = now()`;
    return tell();
  };
  await happens("players_reached", id, { threshold: 30, user_online: 30, user_max: 40 });
  assert.deepEqual(await counts(29), []);
  assert.deepEqual(await counts(31), ["ada@example.org: 30 players on Midgard"]);
  await database.sql`delete from notification_deliveries`;
  await happens("players_reached", id, { threshold: 30, user_online: 30, user_max: 40 });
  assert.deepEqual(await counts(27), []);
  assert.deepEqual(await counts(31), [], "that is for the next crossing to say");
  await happens("players_reached", id, { threshold: 12, user_online: 30, user_max: 40 });
  assert.deepEqual(await counts(31), [], "who wants thirty is not told of twelve");
});

test("a game server that changes a hundred times within an hour is told of once", async () => {
  const id = await makeServer();
  await follower("ada", { server_id: id, kind: "server_up" }, { server_id: id, kind: "server_down" });
  const told: string[] = [];
  for (let n = 0; n < 50; n++) {
    await is(id, "offline");
    await happens("server_down", id);
    // The event is older than the measurement that speaks for it.
    await database.sql`update gameserver_live_metrics set status_since = now() - interval '1 minute' where server_id = ${id}`;
    told.push(...(await tell()));
    await happens("server_up", id);
    await is(id, "online");
    told.push(...(await tell()));
  }
  assert.deepEqual(told, ["ada@example.org: Midgard is down", "ada@example.org: Midgard is back"]);
  await database.sql`update notification_deliveries set created_at = now() - interval '61 minutes'`;
  await happens("server_up", id);
  await is(id, "online");
  assert.deepEqual(await tell(), ["ada@example.org: Midgard is back"], "an hour later it is news again");
});

test("an admin's mail of an outage leads to its draft, also where it leaves before anybody has looked for outages", async () => {
  const [id, hidden] = [await makeServer(), await makeServer("hidden", "Utgard")];
  const { id: admin } = await follower("thor");
  await database.sql`insert into roles (user_id, role) values (${admin}, 'admin') on conflict (user_id) do update set role = 'admin'`;
  await makeDefaultRules(database.db);
  await database.sql`update notification_rules set with_hidden = true`;
  const tellOf = async (server_id: number) => {
    const happened_at = new Date(Date.now() - 301_000);
    await is(server_id, "offline");
    await database.sql`update gameserver_live_metrics set status_since = ${happened_at.toISOString()} where server_id = ${server_id}`;
    const dedupe_key = `server_down:long:${server_id}`;
    await recordEvent(database.db, { kind: "server_down", about: { server_id }, dedupe_key, happened_at });
    const told = await tell();
    const link = /\/admin\/status\/incidents\/\d+/.exec(server.received[0]?.raw.replaceAll("=\r\n", "") ?? "")?.[0];
    return [told, link];
  };
  const drafts = () => database.sql<{ incident_id: number; server_id: number }[]>`
    select incident_id, server_id from incidents join incident_servers using (incident_id)
    where published_at is null and closed_at is null`;
  const [told, link] = await tellOf(id);
  const [draft] = await drafts();
  assert.equal(draft?.server_id, id);
  assert.deepEqual(
    [told, link],
    [["thor@example.org: Midgard is down"], `/admin/status/incidents/${draft?.incident_id}`],
  );
  assert.deepEqual(await tellOf(hidden), [["thor@example.org: Utgard is down"], undefined], "hidden ones draft none");
  assert.equal((await drafts()).length, 1);
  await database.sql`update roles set role = 'user' where user_id = ${admin}`;
  await database.sql`update notification_rules set with_hidden = false`;
});

test("ten thousand followers are told of by one statement; what is hidden meanwhile reaches none of them", async (t) => {
  const id = await makeServer();
  const { sql } = database;
  await sql`
    with made as (
      insert into notification_targets (kind, address_hash, address_sealed) select 'push', 'hash ' || n, 'sealed' from generate_series(1, 10000) n
      returning target_id)
    insert into follows (target_id, server_id, kind) select target_id, ${id}, 'server_up' from made`;
  await follower("ada", { server_id: id, kind: "server_up" });
  await sql`analyze follows, notification_targets`;
  await happens("server_up", id);
  await is(id, "online");
  const began = performance.now();
  let slowest = 0;
  const done = fanOut().then(() => true);
  while (!(await Promise.race([done, pause(5).then(() => false)]))) {
    const asked = performance.now();
    await sql`select * from gameserver_live_metrics`;
    slowest = Math.max(slowest, performance.now() - asked);
  }
  t.diagnostic(`${Math.round(performance.now() - began)} ms, the slowest question beside it ${Math.round(slowest)} ms`);
  const [count] =
    await sql`select count(*)::int as n, count(distinct target_id)::int as targets from notification_deliveries`;
  assert.deepEqual({ ...count }, { n: 10_001, targets: 10_001 });
  await sql`update gameserver set visibility = 'hidden' where server_id = ${id}`;
  await send();
  assert.equal(server.received.length, 0);
  const [mail] = await sql`select state from notification_deliveries where channel = 'mail'`;
  assert.equal(mail?.state, "untrue");
});

test("members' game servers reach members alone, hidden ones nobody, also those that became so after being followed", async () => {
  const id = await makeServer();
  await follower("ada", { game_id: gameId, kind: "server_up" });
  const visitor = await registerTarget(database.db, SECRET, {
    kind: "push",
    identity: "https://push.example/2",
    address: { endpoint: "x" },
    locale: "en",
  });
  assert.ok(visitor.ok);
  await follow(database.db, visitor.target.target_id, { server_id: id, kind: "server_up" });
  const reached = async (visibility: string) => {
    await database.sql`update gameserver set visibility = ${visibility} where server_id = ${id}`;
    await database.sql`delete from notification_deliveries`;
    await happens("server_up", id);
    await is(id, "online");
    await fanOut();
    return (await database.sql`select channel from notification_deliveries order by 1`).map(({ channel }) => channel);
  };
  assert.deepEqual(await reached("public"), ["mail", "push"]);
  assert.deepEqual(await reached("members"), ["mail"]);
  assert.deepEqual(await reached("hidden"), []);
  await database.sql`update games set published = false`;
  assert.deepEqual(await reached("public"), []);
  await database.sql`update games set published = true`;
  const [seen] = await listFollows(database.db, { target_id: visitor.target.target_id });
  assert.equal(seen?.server_name, "Midgard");
  await database.sql`update gameserver set visibility = 'members'`;
  const [unseen] = await listFollows(database.db, { target_id: visitor.target.target_id });
  assert.deepEqual([unseen?.server_name, unseen?.game_name], [null, null], "it can be ended, and says nothing");
});

/** A process with a sender in it, as a web process has one. */
const SENDER = `
  import { pino } from "pino";
  import { readConfig } from "#config";
  import { connectDatabase } from "#db/client.ts";
  import { createMailer } from "#outside/mail.ts";
  import { SCHEDULE } from "#jobs/schedule.ts";
  const [databaseUrl, smtpUrl] = process.argv.slice(1);
  const { db } = connectDatabase({ databaseUrl });
  await SCHEDULE.web.mails.run({
    db, secret: "x", siteUrl: "https://play.example.org", config: readConfig({ DATABASE_URL: databaseUrl }),
    log: pino({ level: "silent" }), mailSite: () => ({ name: "Spawnpoint", url: "https://play.example.org" }),
    mailer: createMailer({ smtpUrl, mailFrom: "site@example.org", dataDir: "/nonexistent" }), signal: AbortSignal.timeout(60_000),
  });`;

test("killed between sending and writing: people are not told again, a mail of an account goes again", async () => {
  const id = await makeServer();
  await follower("ada", { server_id: id, kind: "server_up" });
  await happens("server_up", id);
  await is(id, "online");
  await fanOut();
  const code = { code: "482913", minutes: 10 };
  await queueMail(database.db, { to: "login@example.org", locale: "en", template: "sign-in-code", data: code });
  const locked = Promise.withResolvers<null>();
  answer = () => locked.promise;
  const child = spawn(
    process.execPath,
    ["--import", "./tests/helpers/quick-imports.ts", "--input-type=module", "-e", SENDER, database.url, server.url],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  const ended = once(child, "exit");
  try {
    await until("both are being sent", async () => (await states()).every((state) => state === "sending"));
    // The sender cannot write down what it sent: the rows are locked until it is dead and Postgres has dropped its sessions.
    await database.sql.begin(async (other) => {
      await other`select from notification_deliveries for update`;
      locked.resolve(null);
      await until("both were sent", () => server.received.length === 2);
      await until("it wants to write that down", async () => {
        const [waiting] = await database.sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        return waiting !== undefined;
      });
      child.kill("SIGKILL");
      await ended;
      await other`
        select pg_terminate_backend(pid, 60000) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
    });
  } finally {
    locked.resolve(null);
    child.kill("SIGKILL");
  }
  assert.deepEqual(await states(), ["sending", "sending"]);
  const first = server.received.map(({ to }) => to[0]).sort();
  assert.deepEqual(first, ["ada@example.org", "login@example.org"]);
  await send();
  assert.equal(server.received.length, 2, "what may still be on its way is left alone");
  await database.sql`update notification_deliveries set next_attempt_at = now() where state = 'sending'`;
  await send();
  const all = server.received.map(({ to }) => to[0]);
  assert.equal(all.filter((to) => to === "ada@example.org").length, 1);
  assert.equal(all.filter((to) => to === "login@example.org").length, 2);
  assert.deepEqual(await states(), ["doubtful", "sent"]);
});

test("the database goes away between sending and writing, and comes back: what was sent is written then, and sent once", async () => {
  const id = await makeServer();
  await follower("ada", { server_id: id, kind: "server_up" });
  await happens("server_up", id);
  await is(id, "online");
  await fanOut();
  const { sql } = database;
  const given = parts();
  const mailer: WebParts["mailer"] = {
    ...given.mailer,
    async send(letter) {
      const outcome = await given.mailer.send(letter);
      await sql`alter table notification_deliveries rename to away`;
      setTimeout(() => sql`alter table away rename to notification_deliveries`.catch(() => {}), 600);
      return outcome;
    },
  };
  await Promise.resolve(SCHEDULE.web.mails.run({ ...given, mailer })).catch(() => {});
  assert.deepEqual([await states(), server.received.length], [["sent"], 1]);
  await send();
  assert.equal(server.received.length, 1);
});
