import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import { seedDemoContent } from "#demo/demo-content.ts";
import { findHistorySummary, listHistory } from "#domain/game-servers/history.ts";
import { exclusively as exclusivelyBy } from "#jobs/exclusively.ts";
import { refreshRecentPeaks } from "#jobs/measurements/recent-peaks.ts";
import { rollUp } from "#jobs/measurements/roll-ups.ts";
import { keepSamplesInBounds } from "#jobs/measurements/sample-partitions.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { endDemo } from "./end-demo.ts";
import { startDemoFleet } from "./fleet.ts";
import { writeLivedHistory } from "./lived-history.ts";

let database: TestDatabase;
const DAY_S = 86_400;
/** Of the pretend game servers. */
const LONGEST_OUTAGE_S = 40 * 60;

before(async () => {
  database = await createTestDatabase();
  await seedDemoContent(database.db);
});
after(() => database.drop());

type Row = { server_id: number; server_name: string; user_max: number | null; user_peak: number | null };
const listServers = () => database.sql<Row[]>`
  SELECT server_id, server_name, user_max, user_peak
  FROM gameserver JOIN gameserver_live_metrics USING (server_id) WHERE demo ORDER BY server_id`;
const waitingForEvents = () => database.sql`
  SELECT FROM pg_locks WHERE relation = 'gameserver_status_event'::regclass AND NOT granted`;
const countRows = async () => {
  const [row] = await database.sql<{ rows: number }[]>`
    SELECT ((SELECT count(*) FROM gameserver_rollup_5m) + (SELECT count(*) FROM gameserver_rollup_1h)
      + (SELECT count(*) FROM gameserver_rollup_1d) + (SELECT count(*) FROM gameserver_sample)
      + (SELECT count(*) FROM gameserver_status_event))::int AS rows`;
  return row?.rows ?? 0;
};

it("a new demo has lived for eight weeks: charts, weeks, peaks and outages that agree with each other", async () => {
  const { db, sql, url } = database;
  const exclusively = exclusivelyBy(sql, "roll-ups");
  // Held up in the middle of it, since collectors work meanwhile.
  const fleet = await sql.begin(async (holding) => {
    await holding`LOCK TABLE gameserver_status_event IN SHARE MODE`;
    const started = await startDemoFleet(
      { databaseUrl: url, host: "127.0.0.1", port: 0, pollIntervalS: 30 },
      { log: { info() {}, warn() {}, debug() {} } },
    );
    while ((await waitingForEvents()).length === 0) await setTimeout(20);
    await keepSamplesInBounds(sql, false);
    assert.equal(await rollUp(exclusively, 30), 0);
    return started;
  });
  await fleet.ready;
  try {
    const servers = await listServers();
    assert.equal(servers.length, 13);
    const now = Date.now();
    const [young] = await sql<{ names: string | null }[]>`
      SELECT string_agg(server_name, ', ') AS names FROM gameserver JOIN gameserver_live_metrics USING (server_id)
      WHERE demo AND NOT (status = 'online' AND status_since < now() - interval '1 hour')`;
    assert.equal(young?.names, null, "what is on has been on since its last outage");
    for (const server of servers) {
      const summary = await findHistorySummary(db, server.server_id);
      assert.ok(summary);
      const month = summary.ranges.find(({ range }) => range === "30d");
      const year = summary.ranges.find(({ range }) => range === "1y");
      assert.ok(month?.uptime && month.uptime > 0.8 && month.uptime < 1, `${server.server_name}: ${month?.uptime}`);
      assert.ok(year?.since && Date.parse(year.since) < now - 55 * DAY_S * 1000);
      const { downs, at } = await listHistory(db, server.server_id, "30d", now);
      assert.ok(downs.length > 0 && at.length > 700, server.server_name);
      const down = downs.reduce((sum, [from, to]) => sum + to - from, 0);
      // The chart shows the 300 longest at most.
      // An outage at the edge of the thirty days may be in the one figure and not in the other.
      const edge = downs.filter(([from]) => from < now / 1000 - 30 * DAY_S + 2 * 3600);
      const unsure = 600 + (edge.length > 0 ? LONGEST_OUTAGE_S : 0);
      if (downs.length < 300)
        assert.ok(Math.abs(down - (1 - month.uptime) * 30 * DAY_S) < unsure, `${server.server_name}: ${down} s`);
      if (server.server_name === "Spawnpoint-Alpha") assert.equal(year.peak, null);
      else {
        assert.ok(summary.week.every((players) => players !== null));
        assert.equal(year.peak?.players, server.user_peak);
        assert.ok((server.user_peak ?? 0) <= (server.user_max ?? 50));
        assert.ok(year.peak && Date.parse(year.peak.from) < now);
      }
    }
    const [sums] = await sql<{ hours: number; days: number }[]>`
      SELECT (SELECT sum(user_sum) FROM gameserver_rollup_1h)::int AS hours,
        (SELECT sum(user_sum) FROM gameserver_rollup_1d)::int AS days`;
    assert.equal(sums?.hours, sums?.days);

    // The jobs of a collector find nothing to put right, but for what is the present.
    const peaks = () =>
      sql`SELECT server_id, user_peak_24h, user_peak_7d FROM gameserver_live_metrics ORDER BY server_id`;
    const before = [await countRows(), await peaks()];
    await refreshRecentPeaks(exclusively, "24h");
    await refreshRecentPeaks(exclusively, "7d");
    await rollUp(exclusively, 30);
    assert.deepEqual([await countRows(), await peaks()], before);

    const again = servers.map(({ server_id }) => ({
      server_id,
      wave: { seed: 1, max: 5, busy: 1, utcOffsetMinutes: 0 },
      fails: false,
      tells: true,
    }));
    assert.equal(await writeLivedHistory(sql, again), 0);
    assert.equal(await countRows(), before[0]);
  } finally {
    await fleet.stop();
  }
  await endDemo(db);
  assert.equal(await countRows(), 0, "a site that starts for real remembers nothing of it");
});
