/** Pushes of several processes: each stage of a telling wakes the next, and what a push service asks of one sender all keep to. */
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { pino } from "pino";
import { readConfig } from "#config";
import type { ClaimedDelivery } from "#domain/notifications/channel.ts";
import { recordEvent } from "#domain/notifications/events.ts";
import { follow } from "#domain/notifications/follows.ts";
import { notePushLimit, readPushLimits, removeOldPushLimits } from "#domain/notifications/push-limits.ts";
import { registerTarget, type Target } from "#domain/notifications/targets.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { type PretendPushService, PUSH_HOST, startPushService } from "#tests/helpers/push/push-service.ts";
import { until } from "#tests/helpers/until.ts";
import { SCHEDULE } from "../schedule.ts";
import { startJobs } from "../start-jobs.ts";
import type { WebParts } from "../web-schedule.ts";
import { createPushChannel } from "./push-channel.ts";

const SECRET = "a secret of thirty-two characters";
const HOUR_MS = 3_600_000;
/** More than one sender has under way at a time. */
const FOLLOWERS = 120;
const log = pino({ level: "silent" });
let database: TestDatabase;
let service: PretendPushService;
let parts: WebParts & { siteOrigin: string };

before(async () => {
  database = await createTestDatabase();
  service = await startPushService();
  const siteUrl = "https://play.example.org";
  const config = readConfig({ ...service.settings, DATABASE_URL: database.url });
  parts = { db: database.db, secret: SECRET, config, log, siteUrl, siteOrigin: siteUrl } as typeof parts;
});

afterEach(async () => {
  service.react = null;
  service.arrived.length = 0;
  await database.sql`delete from push_limits`;
  await database.sql`delete from notification_targets`;
});

after(async () => {
  await service?.close();
  await database?.drop();
});

async function addTarget(): Promise<Target> {
  const { endpoint, keys } = service.subscribe();
  const address = { endpoint, ...keys };
  const made = await registerTarget(database.db, SECRET, { kind: "push", identity: endpoint, address, locale: "en" });
  assert.ok(made.ok);
  return made.target;
}

test("a push service that limits one sender is left alone by the others as well, and by none for longer than it was asked", async () => {
  const [one, other] = [createPushChannel(), createPushChannel()];
  const { signal } = new AbortController();
  const send = async (by: typeof one) => {
    const payload = { title: "A test", body: "It arrived.", path: "/" };
    const delivery = { target: await addTarget(), payload, event: null, telling: null, expires_in_s: null };
    return by.send(delivery as Partial<ClaimedDelivery> as ClaimedDelivery, parts, signal);
  };
  assert.equal((await send(other)).sent, true);
  service.react = (response) => response.writeHead(429, { "Retry-After": "30" }).end();
  const limited = await send(one);
  assert.ok(!limited.sent && limited.next === "again");
  service.react = null;
  for (const by of [other, one]) {
    const outcome = await send(by);
    assert.ok(!outcome.sent && outcome.next === "not asked", "nothing was sent");
    assert.ok((outcome.afterS ?? 0) > 15 && (outcome.afterS ?? 0) <= 35.5, `for ${outcome.afterS} s`);
  }
  assert.equal(service.arrived.length, 2);

  await notePushLimit(database.db, PUSH_HOST, 1);
  assert.ok(((await readPushLimits(database.db)).get(PUSH_HOST) ?? 0) > 5, "a shorter pause takes none back");
  await removeOldPushLimits(database.db);
  assert.equal((await readPushLimits(database.db)).size, 1, "what is not over stays");
  await database.sql`update push_limits set resets_at = now()`;
  assert.equal((await send(other)).sent, true);
  await removeOldPushLimits(database.db);
  assert.equal((await database.sql`select from push_limits`).length, 0);
});

test("from an event to the push service nothing waits for the next look: each stage wakes the next, to the last follower", async () => {
  const [server] = await database.sql<{ server_id: number }[]>`
    with game as (
      insert into games (game_name, game_acronym, game_slug, tagline, description)
      values ('Valheim', 'VH', 'valheim', '{"en":""}', '{"en":""}') returning game_id)
    insert into gameserver (game_id, server_name, host, game_port, adapter, visibility, lifecycle)
    select game_id, 'Valheim Vanilla', '192.0.2.1', 2456, 'tcp', 'public', 'active' from game returning server_id`;
  const server_id = server?.server_id ?? 0;
  for (let n = 0; n < FOLLOWERS; n += 1) {
    const followed = await follow(database.db, (await addTarget()).target_id, { server_id, kind: "server_down" });
    assert.ok(followed.ok);
  }
  // The jobs as they are, but that nothing looks for what is due, nor runs by the clock.
  const { notifications, pushes } = SCHEDULE.web;
  const byWordAlone = <Job extends { due?: unknown }>({ due: _, ...job }: Job) => ({ ...job, everyMs: HOUR_MS });
  const started = new Set<string>();
  const jobs = await startJobs({ notifications: byWordAlone(notifications), pushes: byWordAlone(pushes) }, parts, {
    database,
    log,
    metrics: { ran: (name) => started.add(name) },
  });
  try {
    await until("both have run once", () => started.size === 2);
    await database.db.transaction(async (tx) => {
      await database.sql`update gameserver_live_metrics set status = 'offline', status_since = now() - interval '1 second',
        last_asked_at = now() where server_id = ${server_id}`;
      await recordEvent(tx, { kind: "server_down", about: { server_id }, dedupe_key: "server_down:by word alone" });
    });
    await until("all got it", () => service.arrived.length >= FOLLOWERS);
    await until("all is written down", async () => {
      const rows = await database.sql`select from notification_deliveries where state = 'sent' and answer = '201'`;
      return rows.length === FOLLOWERS;
    });
    assert.equal(new Set(service.arrived.map(({ to }) => to)).size, FOLLOWERS, "each once");
    assert.equal(service.arrived.length, FOLLOWERS);
  } finally {
    await jobs.stop();
  }
});
