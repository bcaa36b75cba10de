import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { createDatabaseClock } from "#db/database-clock.ts";
import { games, gameserver } from "#db/schema/index.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { totalsOver } from "../pages/site-snapshot.ts";
import { createSiteMemory } from "./site-memory.ts";

const HOUR_MS = 3_600_000;

let testDb: TestDatabase;
let serverId: number;

before(async () => {
  testDb = await createTestDatabase();
  const text = { tagline: { en: "" }, description: { en: "" } };
  const [game] = await testDb.db
    .insert(games)
    .values({ game_name: "Quake", game_acronym: "Q", game_slug: "quake", ...text })
    .returning();
  const [server] = await testDb.db
    .insert(gameserver)
    .values({
      game_id: game?.game_id ?? 0,
      adapter: "a2s",
      game_port: 27015,
      host: "192.0.2.1",
      server_name: "Open",
      visibility: "public",
    })
    .returning();
  serverId = server?.server_id ?? 0;
});

beforeEach(
  () =>
    testDb.sql`update gameserver_live_metrics set status = 'online', user_online = 7, first_asked_at = now(),
      last_asked_at = now(), last_answered_at = now() where server_id = ${serverId}`,
);

after(() => testDb.drop());

/** What a site remembers, and the hours that pass for it. */
async function remember() {
  let passed = 0;
  const clock = createDatabaseClock(() => performance.now() + passed);
  const memory = createSiteMemory(testDb.db, 30, clock);
  await memory.readEverything();
  return {
    memory,
    passHours: (hours: number) => {
      passed += hours * HOUR_MS;
    },
    row: () => memory.state.shown.get(serverId),
    totals: () => totalsOver(memory.state.gameServers, memory.state.shown),
  };
}

test("a server that isn't checked any more turns to unknown while the database answers", async () => {
  const { memory, passHours, row, totals } = await remember();
  assert.equal(row()?.status, "online");
  passHours(1);
  await memory.readFreshness();
  assert.equal(row()?.status, "unknown");
  assert.equal(totals().servers_online, 0);
});

test("an outage of the database keeps the last figures and says since when", async () => {
  const { memory, passHours, row, totals } = await remember();
  memory.keepLast();
  const since = memory.state.delayedSince;
  assert.ok(since !== null && Math.abs(Date.parse(since) - Date.now()) < 60_000, String(since));
  passHours(1);
  memory.keepLast();
  assert.deepEqual([row()?.status, row()?.user_online], ["online", 7]);
  assert.deepEqual([totals().servers_online, totals().servers_total, totals().players_online], [1, 1, 7]);
  assert.equal(memory.state.delayedSince, since);
});

test("an outage makes nothing fresh that was too old before it", async () => {
  await testDb.sql`update gameserver_live_metrics set last_asked_at = now() - interval '1 hour' where server_id = ${serverId}`;
  const { memory, passHours, row } = await remember();
  memory.keepLast();
  passHours(1);
  memory.keepLast();
  assert.equal(row()?.status, "unknown");
});

test("after an outage, age counts again", async () => {
  const { memory, passHours, row } = await remember();
  memory.keepLast();
  passHours(1);
  await memory.readEverything();
  assert.equal(memory.state.delayedSince, null);
  assert.equal(row()?.status, "unknown");
});
