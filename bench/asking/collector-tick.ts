/** P8: writing a tick of 1,000 game servers ÷ one bare `unnest` upsert of the same values. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { type Result, writeResults } from "#collector/write-results.ts";
import { connectDatabase } from "#db/client.ts";
import { migrateDatabase } from "#db/migrate.ts";
import { startEmbeddedPostgres } from "#db/postgres/embedded-postgres.ts";
import type { Sql } from "#db/sql.ts";
import { keepSamplesInBounds } from "#jobs/measurements/sample-partitions.ts";
import { measurePairs, pairsWanted, rowOfPairs, timed } from "../instruments/pairs.ts";
import type { Row } from "../instruments/row.ts";

const SERVERS = 1_000;
const us = randomUUID();

/** Most servers tell a new count, a few change their status. */
function makeTick(now: number, round: number): Result[] {
  return Array.from({ length: SERVERS }, (_, i) => {
    const players = (i * 7 + round * 3) % 64;
    const failing = i % 50 === round % 50;
    return {
      serverId: i + 1,
      state: {
        status: failing ? "degraded" : "online",
        statusSince: now - 1_000_000,
        userOnline: players,
        botsOnline: i % 10,
        userMaxMeasured: 64,
        version: "0.219.16",
        map: "hills",
        passwordProtected: i % 10 === 0,
        lastAskedAt: now,
        lastAnsweredAt: now,
        latencyMs: 20 + (i % 30),
        failure: failing ? "no_reply" : null,
        failuresInRow: failing ? 1 : 0,
      },
      changedFrom: failing ? "online" : null,
      failures: failing ? { firstAt: now, lastAt: now, count: 1 } : null,
      counted: failing ? null : players,
      judged: true,
      nextPollAt: now + 30_000 + i,
    } satisfies Result;
  });
}

/** The baseline: the same columns and values, put into arrays the same way, into a table with nothing but its key. */
async function writeBare(sql: Sql, results: Result[]): Promise<void> {
  const column = <T>(read: (result: Result) => T): T[] => results.map(read);
  const numbers = (read: (result: Result) => number | null) => `{${JSON.stringify(results.map(read)).slice(1, -1)}}`;
  await sql`
    INSERT INTO bare (server_id, status, since_ms, user_online, user_max, version, map, asked_ms, answered_ms, latency_ms,
      failure, failures_in_row, next_ms)
    SELECT * FROM unnest(
      ${numbers((r) => r.serverId)}::text::int[], ${column((r) => r.state.status)}::text[],
      ${numbers((r) => r.state.statusSince)}::text::float8[], ${numbers((r) => r.state.userOnline)}::text::int[],
      ${numbers((r) => r.state.userMaxMeasured)}::text::int[], ${column((r) => r.state.version)}::text[],
      ${column((r) => r.state.map)}::text[], ${numbers((r) => r.state.lastAskedAt)}::text::float8[],
      ${numbers((r) => r.state.lastAnsweredAt)}::text::float8[], ${numbers((r) => r.state.latencyMs)}::text::int[],
      ${column((r) => r.state.failure)}::text[], ${numbers((r) => r.state.failuresInRow)}::text::smallint[],
      ${numbers((r) => r.nextPollAt)}::text::float8[])
    ON CONFLICT (server_id) DO UPDATE SET status = excluded.status, since_ms = excluded.since_ms,
      user_online = excluded.user_online, user_max = excluded.user_max, version = excluded.version, map = excluded.map,
      asked_ms = excluded.asked_ms, answered_ms = excluded.answered_ms, latency_ms = excluded.latency_ms,
      failure = excluded.failure, failures_in_row = excluded.failures_in_row, next_ms = excluded.next_ms`;
}

async function measureTick(sql: Sql): Promise<Row[]> {
  await sql`INSERT INTO games (game_name, game_acronym, game_slug, tagline, description)
    VALUES ('Bench', 'B', 'bench', '{"en":""}', '{"en":""}')`;
  await sql`INSERT INTO gameserver (game_id, server_name, adapter, host, game_port)
    SELECT 1, 'server ' || n, 'a2s', '10.0.0.1', 2456 FROM generate_series(1, ${SERVERS}::int) n`;
  await sql`CREATE TABLE bare (server_id int PRIMARY KEY, status text, since_ms float8, user_online int, user_max int,
    version text, map text, asked_ms float8, answered_ms float8, latency_ms int, failure text, failures_in_row smallint,
    next_ms float8)`;
  await keepSamplesInBounds(sql, false);

  let round = 0;
  const ours = async () => {
    await sql`UPDATE gameserver_live_metrics SET claimed_by = ${us}, claimed_until = now() + interval '1 minute'`;
    const tick = makeTick(Date.now(), round++);
    return timed(async () => {
      const written = await writeResults(sql, us, tick);
      if (written.length !== SERVERS) throw new Error(`${written.length} rows written`);
    });
  };
  const bare = async () => {
    const tick = makeTick(Date.now(), round++);
    return timed(() => writeBare(sql, tick));
  };
  for (let i = 0; i < 10; i++) await Promise.all([await ours(), await bare()]);

  const pairs = await measurePairs(ours, bare, pairsWanted(21));
  const what = `writing a tick of ${SERVERS} game servers ÷ one bare unnest upsert of the same values`;
  return [{ claim: "P8", what, ...rowOfPairs(pairs, "ms"), floor: 2, goal: 1.4, better: "less" }];
}

export async function measure(): Promise<Row[]> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "spawnpoint-bench-"));
  const quiet = { debug() {}, info() {}, warn: (line: string) => console.error(line) };
  const server = await startEmbeddedPostgres({ dataDir, log: quiet });
  try {
    await migrateDatabase(server.url);
    const { sql, close } = connectDatabase({ databaseUrl: server.url }, { max: 1 });
    return await measureTick(sql).finally(close);
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
