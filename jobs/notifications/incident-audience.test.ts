/** Whom an incident of several game servers is told to: those who may see all of them, because its words may name each. */
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { pino } from "pino";
import { readConfig } from "#config";
import { createUser } from "#domain/accounts/users.ts";
import { addIncidentUpdate, publishIncident } from "#domain/incidents/incidents.ts";
import { writeDueDigests } from "#domain/notifications/digests.ts";
import { follow } from "#domain/notifications/follows.ts";
import { savePreferences } from "#domain/notifications/preferences.ts";
import { makeDefaultRules } from "#domain/notifications/rules.ts";
import { registerMailbox, registerTarget } from "#domain/notifications/targets.ts";
import type { Actor } from "#domain/site/audit.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { SCHEDULE } from "../schedule.ts";
import type { WebParts } from "../web-schedule.ts";

const SECRET = "a secret of thirty-two characters";
let database: TestDatabase;
let actor: Actor;
let sentMails = 0;
/** The incident is about both; whoever is told of it follows the first. */
let followed: number;
let other: number;
let incident: number;

before(async () => {
  database = await createTestDatabase();
  const admin = await createUser(database.db, { email: "admin@example.org", passwordHash: null, locale: "en" });
  actor = { user_id: admin.id, origin: { ip: "127.0.0.1", user_agent: "a test" } };
  await makeDefaultRules(database.db);
  await database.sql`delete from notification_rules`;
});
after(() => database?.drop());

beforeEach(async () => {
  const { sql } = database;
  await sql`delete from notification_targets`;
  await sql`delete from incidents`;
  await sql`delete from gameserver`;
  await sql`delete from games`;
  await sql`delete from users where email <> 'admin@example.org'`;
  sentMails = 0;
  const made = await sql<{ server_id: number }[]>`
    with game as (insert into games (game_name, game_acronym, game_slug, tagline, description)
      select name, name, lower(name), '{"en":""}', '{"en":""}' from unnest(array['One', 'Two']) name returning game_id, game_name)
    insert into gameserver (game_id, server_name, host, game_port, adapter, visibility)
    select game_id, game_name, '127.0.0.1', 2456, 'a2s', 'public' from game returning server_id`;
  [followed = 0, other = 0] = made.map(({ server_id }) => server_id);
  const [draft] = await sql<{ incident_id: number }[]>`
    with draft as (insert into incidents (about) values ('servers') returning incident_id)
    insert into incident_servers (incident_id, server_id)
    select incident_id, server_id from draft, unnest(${made.map(({ server_id }) => server_id)}::int[]) server_id
    returning incident_id`;
  incident = draft?.incident_id ?? 0;
  await publishIncident(database.db, actor, incident, { title_en: "Both are down", title_de: "" });
  await member("member");
  const push = { kind: "push", identity: "p", address: { endpoint: "x" }, locale: "en" } as const;
  const visitor = await registerTarget(database.db, SECRET, push);
  assert.ok(visitor.ok);
  await follow(database.db, visitor.target.target_id, { server_id: followed, kind: "news" });
  for (const [kind, with_hidden] of [
    ["discord", true],
    ["webhook", false],
    ["webhook", true],
  ] as const)
    await sql`
      with channel as (insert into notification_targets (kind, address_hash, address_sealed, name)
        values (${kind}, ${`${kind} ${with_hidden}`}, 'sealed', ${`${kind} ${with_hidden}`}) returning target_id)
      insert into notification_rules (target_id, kinds, with_hidden)
      select target_id, array['incident_opened', 'incident_updated'], ${with_hidden} from channel`;
});

/** A member whose mailbox follows news of the first game server. */
async function member(name: string) {
  const email = `${name}@example.org`;
  const { id } = await createUser(database.db, { email, passwordHash: null, locale: "en", emailVerified: true });
  await follow(database.db, await registerMailbox(database.db, id, "en"), { server_id: followed, kind: "news" });
  return id;
}

const parts = () =>
  ({
    db: database.db,
    secret: SECRET,
    mailer: {
      async send() {
        sentMails += 1;
        return { sent: true };
      },
    },
    mailSite: () => ({ name: "Spawnpoint", url: "https://play.example.org" }),
    siteUrl: "https://play.example.org",
    config: readConfig({ DATABASE_URL: database.url }),
    log: pino({ level: "silent" }),
    signal: AbortSignal.timeout(60_000),
  }) as unknown as WebParts & { signal: AbortSignal };
const fanOut = () => SCHEDULE.web.notifications.run(parts());

/** Writes what names the other one, and says to which targets it would go. */
async function toldOfUpdate(): Promise<string[]> {
  await fanOut();
  await database.sql`delete from notification_deliveries`;
  await addIncidentUpdate(database.db, actor, incident, { text_en: "Two lost its disk", text_de: "" });
  await fanOut();
  const rows = await database.sql<{ told: string }[]>`
    select coalesce(t.name, d.channel) as told from notification_deliveries d join notification_targets t using (target_id) order by 1`;
  return rows.map(({ told }) => told);
}
const hide = (visibility: string) =>
  database.sql`update gameserver set visibility = ${visibility} where server_id = ${other}`;

const EVERYBODY = ["discord true", "mail", "push", "webhook false", "webhook true"];

test("an update of an incident goes to those who may see each of its game servers, not to followers of one", async () => {
  assert.deepEqual(await toldOfUpdate(), EVERYBODY);
  await hide("members");
  assert.deepEqual(await toldOfUpdate(), ["mail", "webhook false", "webhook true"]);
  await hide("hidden");
  assert.deepEqual(await toldOfUpdate(), ["webhook true"], "operators who asked for hidden ones");
  await hide("public");
  await database.sql`update games set published = false where game_name = 'Two'`;
  assert.deepEqual(await toldOfUpdate(), ["webhook true"]);
  await database.sql`delete from gameserver where server_id = ${other}`;
  assert.deepEqual(await toldOfUpdate(), EVERYBODY, "what is gone hides nothing");
});

test("what was queued before one of its game servers was hidden is not sent afterwards", async () => {
  await fanOut();
  await hide("hidden");
  await SCHEDULE.web.mails.run(parts());
  const [mail] = await database.sql`select state, last_error from notification_deliveries where channel = 'mail'`;
  assert.deepEqual([{ ...mail }, sentMails], [{ state: "untrue", last_error: "unwanted" }, 0]);
});

test("what waits for the daily mail is left out of it once one of its game servers is hidden", async () => {
  const id = await member("daily");
  // It is past the hour of the daily mail there, whenever this runs.
  const ahead = ((20 - new Date().getUTCHours() + 12 + 24) % 24) - 12;
  const time_zone = `Etc/GMT${ahead < 0 ? "+" : "-"}${Math.abs(ahead)}`;
  await savePreferences(database.db, id, {
    mail_on: true,
    quiet_from: null,
    quiet_to: null,
    time_zone,
    digest: "daily",
  });
  await fanOut();
  assert.equal((await database.sql`select from notification_deliveries where state = 'held'`).length, 1);
  await hide("hidden");
  assert.equal(await writeDueDigests(database.db), 0);
  await hide("public");
  await database.sql`update notification_deliveries set state = 'held' where state = 'sent'`;
  await database.sql`update notification_preferences set digest_of = null`;
  assert.equal(await writeDueDigests(database.db), 1, "the same is in it while all are seen");
});
