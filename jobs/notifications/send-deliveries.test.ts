/** What becomes of a delivery while the database is away for a moment, and what is written down by many at once. */
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { pino } from "pino";
import { readConfig } from "#config";
import { addressOf } from "#domain/discord/webhooks.ts";
import { recordSent } from "#domain/notifications/outcomes.ts";
import { registerTarget } from "#domain/notifications/targets.ts";
import { readWebhook } from "#outside/discord.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { type FakeDiscord, startFakeDiscord } from "#tests/helpers/discord/fake-discord.ts";
import { SCHEDULE } from "../schedule.ts";
import type { WebParts } from "../web-schedule.ts";

const SECRET = "a secret of thirty-two characters";
let database: TestDatabase;
let discord: FakeDiscord;

before(async () => {
  database = await createTestDatabase();
  discord = await startFakeDiscord();
});
after(async () => {
  await discord?.close();
  await database?.drop();
});
beforeEach(async () => {
  await database.sql`delete from notification_deliveries`;
  await database.sql`delete from notification_targets`;
});

async function makeChannel(id: string): Promise<string> {
  const webhook = readWebhook(discord.address(id));
  assert.ok(webhook);
  const address = addressOf(webhook);
  const made = await registerTarget(database.db, SECRET, { kind: "discord", identity: id, address, locale: "en" });
  assert.ok(made.ok);
  return made.target.target_id;
}
const post = () =>
  SCHEDULE.web["discord-posts"].run({
    db: database.db,
    secret: SECRET,
    mailSite: () => ({ name: "Spawnpoint", url: "https://play.example.org" }),
    siteUrl: "https://play.example.org",
    config: readConfig({ DATABASE_URL: database.url, SPAWNPOINT_DISCORD_API: discord.base }),
    log: pino({ level: "silent" }),
    signal: AbortSignal.timeout(60_000),
  } as WebParts & { signal: AbortSignal });

test("a post whose limit could not be asked of the database goes later, as if it had not been tried", async () => {
  const { sql } = database;
  const target_id = await makeChannel("500000000000000001");
  const [server] = await sql`
    with game as (insert into games (game_name, game_acronym, game_slug, tagline, description)
      values ('Valheim', 'VH', 'valheim', '{"en":""}', '{"en":""}') returning game_id)
    insert into gameserver (game_id, server_name, host, game_port, adapter, visibility)
    select game_id, 'Midgard', '127.0.0.1', 2456, 'a2s', 'public' from game returning server_id`;
  await sql`update gameserver_live_metrics set status = 'online', status_since = now(), last_asked_at = now()`;
  const [event] = await sql`insert into notification_events (kind, server_id, dedupe_key, happened_at, expires_at)
    values ('server_up', ${server?.server_id}, 'up', now() - interval '1 second', now() + interval '1 hour') returning event_id`;
  await sql`insert into notification_deliveries (event_id, target_id, channel, by_rule)
    values (${event?.event_id}, ${target_id}, 'discord', true)`;
  await sql`create function no_room() returns trigger language plpgsql as
    $$begin raise exception 'too many connections' using errcode = '53300'; end$$`;
  await sql`create trigger no_room before insert on discord_limits for each statement execute function no_room()`;
  const state = () => sql`select state, attempts, last_error from notification_deliveries`;
  await post();
  assert.deepEqual({ ...(await state())[0] }, { state: "waiting", attempts: 0, last_error: null });
  assert.equal(discord.requests.length, 0);
  await sql`drop trigger no_room on discord_limits`;
  await sql`update notification_deliveries set next_attempt_at = now()`;
  await post();
  assert.deepEqual({ ...(await state())[0] }, { state: "sent", attempts: 1, last_error: null });
  assert.equal(discord.messages.size, 1);
});

test("what two processes write down of the same targets at once, in any order, keeps neither from it", async () => {
  const { sql, db } = database;
  const targets = await Promise.all(
    Array.from({ length: 40 }, (_, at) => makeChannel(String(600_000_000_000_000_000n + BigInt(at)))),
  );
  const ofTarget = async (target_id: string) => {
    const [row] = await sql<{ delivery_id: string }[]>`
      insert into notification_deliveries (target_id, channel, state, attempts) values (${target_id}, 'discord', 'sending', 1)
      returning delivery_id`;
    return { delivery_id: row?.delivery_id ?? "", attempts: 1, answer: undefined };
  };
  // As slow as a busy database is at its worst: between two rows there is time for the other process.
  await sql`create function slow() returns trigger language plpgsql as $$begin perform pg_sleep(0.01); return new; end$$`;
  await sql`create trigger slow before update on notification_targets for each row execute function slow()`;
  for (let round = 0; round < 3; round += 1) {
    await sql`update notification_targets set failing_since = now()`;
    const first = await Promise.all(targets.map(ofTarget));
    const second = await Promise.all(targets.map(ofTarget));
    const written = await Promise.all([recordSent(db, first), recordSent(db, second.toReversed())]);
    assert.deepEqual(
      written.map(({ size }) => size),
      [targets.length, targets.length],
    );
    const failing = await sql`select 1 from notification_targets where failing_since is not null`;
    assert.equal(failing.length, 0);
  }
});
