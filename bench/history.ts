/**
 * P14: the data of a history chart, of 50 game servers with a year each among 10,000: p95, beside a bare round trip. The others have
 * a year of days, which the year's chart is drawn from, and two weeks of hours. And the roll-up of a day of 1,000 game servers
 * asked every 30 s (2.9 million samples).
 */
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { connectDatabase, type Database } from "#db/client.ts";
import { migrateDatabase } from "#db/migrate.ts";
import { startEmbeddedPostgres } from "#db/postgres/embedded-postgres.ts";
import type { Queryable, Sql } from "#db/sql.ts";
import { findHistorySummary, listHistory } from "#domain/game-servers/history.ts";
import { exclusively } from "#jobs/exclusively.ts";
import { rollUp } from "#jobs/measurements/roll-ups.ts";
import { addYearOfHistory } from "#tests/helpers/history-year.ts";
import { median, percentile, spreadOf, timed } from "./instruments/pairs.ts";
import { brief, type Row } from "./instruments/row.ts";

const SERVERS = 50;
const ROUNDS = 4;
const SERVERS_IN_ALL = 10_000;
const HOURS_OF_OTHERS = 14 * 24;
const FLOOR_MS = 15;
const SERVERS_OF_DAY = 1_000;
const EVERY_S = 30;
const FLOOR_DAY_S = 10;

async function addServers(sql: Queryable, count: number): Promise<void> {
  await sql`INSERT INTO games (game_name, game_acronym, game_slug, tagline, description)
    VALUES ('Bench', 'B', 'bench', '{"en":""}', '{"en":""}') ON CONFLICT DO NOTHING`;
  await sql`INSERT INTO gameserver (game_id, server_name, adapter) SELECT 1, 'server ' || n, 'a2s'
    FROM generate_series((SELECT count(*) + 1 FROM gameserver), ${count}::int) n`;
}

/** The others get what one of the first has, each. */
async function addOthers(sql: Queryable): Promise<void> {
  await addServers(sql, SERVERS_IN_ALL);
  for (const [table, since] of [
    ["gameserver_rollup_1d", "1 year"],
    ["gameserver_rollup_1h", `${HOURS_OF_OTHERS} hours`],
  ]) {
    await sql.unsafe(`INSERT INTO ${table} SELECT g.server_id, r.starts_at, r.user_min, r.user_max, r.user_sum, r.user_count, r.asked, r.up_s, r.down_s
      FROM gameserver g CROSS JOIN ${table} r
      WHERE r.server_id = 1 AND g.server_id > ${SERVERS} AND r.starts_at > now() - interval '${since}'`);
  }
  await sql.unsafe("ANALYZE");
}

/** What takes longer than a site's statement may, and than its connections live. */
async function fill(sql: Sql, work: (sql: Queryable) => Promise<unknown>): Promise<void> {
  await sql.begin(async (transaction) => {
    await transaction.unsafe("SET LOCAL statement_timeout = 0");
    await work(transaction);
  });
}

async function measureCharts({ db, sql }: Database): Promise<Row[]> {
  await sql.unsafe("TRUNCATE gameserver, gameserver_sample, gameserver_rollup_progress RESTART IDENTITY CASCADE");
  await fill(sql, async (transaction) => {
    await addServers(transaction, SERVERS);
    await addYearOfHistory(transaction);
    await addOthers(transaction);
  });
  const [rows] = await sql<{ count: number }[]>`SELECT ((SELECT count(*) FROM gameserver_rollup_5m)
    + (SELECT count(*) FROM gameserver_rollup_1h) + (SELECT count(*) FROM gameserver_rollup_1d))::int AS count`;
  const works: [string, (id: number) => Promise<unknown>][] = [
    ["bare round trip", () => sql`SELECT 1`],
    ...(["24h", "7d", "30d", "1y"] as const).map((range): [string, (id: number) => Promise<unknown>] => [
      `chart ${range}`,
      async (id) => JSON.stringify(await listHistory(db, id, range, Date.now())),
    ]),
    ["summary and week", (id) => findHistorySummary(db, id)],
  ];
  const times = works.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (let id = 1; id <= SERVERS; id++) {
      // One after the other within each round: whatever changes over time meets all alike.
      for (const [place, [, work]] of works.entries()) times[place]?.push(await timed(() => work(id)));
    }
  }
  const bare = median(times[0] ?? []);
  return works.slice(1).map(([name], place): Row => {
    const taken = times[place + 1] ?? [];
    return {
      claim: "P14",
      what: `${name} of one of ${SERVERS} game servers with a year among ${SERVERS_IN_ALL} (${rows?.count} rows), p95 of ${taken.length}`,
      ours: `${brief(median(taken))} ms median`,
      baseline: `${brief(bare)} ms bare round trip`,
      value: percentile(taken, 0.95),
      unit: " ms",
      spread: spreadOf(taken),
      floor: FLOOR_MS,
      goal: 5,
      better: "less",
    };
  });
}

async function measureDay(sql: Sql): Promise<Row[]> {
  await addServers(sql, SERVERS_OF_DAY);
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const next = new Date().toISOString().slice(0, 10);
  await sql.unsafe(`CREATE TABLE gameserver_sample_${day.replaceAll("-", "")} PARTITION OF gameserver_sample
    FOR VALUES FROM ('${day}T00:00:00Z') TO ('${next}T00:00:00Z')`);
  const samplesOfDay = `INSERT INTO gameserver_sample SELECT server_id, at + server_id % ${EVERY_S} * interval '1 second',
      CASE WHEN server_id % 50 = 0 AND extract(hour from at) = 3 THEN 'offline' ELSE 'online' END,
      CASE WHEN server_id % 50 = 0 AND extract(hour from at) = 3 THEN NULL ELSE (server_id + extract(hour from at)::int) % 64 END, 64, 30, NULL
    FROM generate_series('${day}T00:00:00Z'::timestamptz, '${day}T23:59:30Z', '${EVERY_S} seconds') at, gameserver`;
  await fill(sql, (transaction) => transaction.unsafe(samplesOfDay));
  const [samples] = await sql`SELECT count(*)::int AS n FROM gameserver_sample`;
  // The hours before belong to the year above; the day is rolled up alone.
  await sql.unsafe(
    "TRUNCATE gameserver_rollup_5m, gameserver_rollup_1h, gameserver_rollup_1d, gameserver_rollup_progress",
  );
  let chunks = 0;
  const first = await timed(async () => {
    chunks = await rollUp(exclusively(sql, "roll-ups"), EVERY_S);
  });
  const [made] = await sql`SELECT sum(asked)::int AS asked FROM gameserver_rollup_5m`;
  if (made?.asked !== samples?.n) throw new Error(`${made?.asked} of ${samples?.n} samples were rolled up`);
  await sql`UPDATE gameserver_rollup_progress SET rolled_until = rolled_until - interval '5 minutes'`;
  const again = await timed(() => rollUp(exclusively(sql, "roll-ups"), EVERY_S));
  return [
    {
      claim: "P14",
      what: `rolling up a day of ${SERVERS_OF_DAY} game servers, ${samples?.n} samples in ${chunks} chunks`,
      ours: `${brief(first / 1000)} s`,
      baseline: `${brief(again)} ms with nothing new`,
      value: first / 1000,
      unit: " s",
      floor: FLOOR_DAY_S,
      better: "less",
    },
  ];
}

export async function measure(): Promise<Row[]> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "spawnpoint-bench-"));
  const quiet = { debug() {}, info() {}, warn: (line: string) => console.error(line) };
  const server = await startEmbeddedPostgres({ dataDir, log: quiet });
  try {
    await migrateDatabase(server.url);
    const database = connectDatabase({ databaseUrl: server.url }, { max: 1 });
    try {
      const day = await measureDay(database.sql);
      return [...(await measureCharts(database)), ...day];
    } finally {
      await database.close();
    }
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
