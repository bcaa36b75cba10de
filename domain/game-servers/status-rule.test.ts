/** The status that people see, worked out in SQL and in code: the same for random rows. STATUS_SEED repeats a run. */
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { after, before, test } from "node:test";
import { eq, sql } from "drizzle-orm";
import { readDatabaseNow } from "#db/database-clock.ts";
import { gameserver, gameserverLiveMetrics } from "#db/schema/index.ts";
import { LIFECYCLES, MEASURED_STATUSES } from "#shared/statuses.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { listVisibleGameServers } from "./game-servers.ts";
import { listLiveMetrics, presentLiveRow, shownStatusInSql } from "./live-metrics.ts";

const ROWS = 2_000;
const SITE_INTERVALS_S = [1, 5, 10, 30, 120, 3_600];

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database?.drop());

/** mulberry32: the same numbers below 1 for the same seed. */
const randomOf = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
};

test("SQL and code give every random row the same status", async (context) => {
  const seed = Number(process.env.STATUS_SEED ?? randomInt(2 ** 31));
  context.diagnostic(`seed ${seed}`);
  const random = randomOf(seed);
  const oneOf = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  /** Limits are whole seconds: no age lies within a millisecond of one, which is as exact as JavaScript's dates are. */
  const offLimits = (ms: number) => Math.floor(ms / 10) * 10 + 5;
  /** Ages two milliseconds on either side of every limit that an interval can have, and any others up to a day. */
  const agoMs = (intervalS: number): number | null =>
    oneOf([
      () => null,
      () => offLimits(random() * 86_400_000),
      () => offLimits(random() * intervalS * 12_000),
      () => intervalS * 3_000 + oneOf([-2, 2]),
      () => Math.max(intervalS, Math.min(4 * intervalS, 30)) * 3_000 + oneOf([-2, 2]),
    ])();
  const rows = Array.from({ length: ROWS }, (_, n) => {
    const poll_interval_s = oneOf([null, 1, 2, 5, 7, 8, 10, 29, 30, 31, 60, 3_600]);
    return {
      n,
      poll_interval_s,
      lifecycle: oneOf(LIFECYCLES),
      status: oneOf(MEASURED_STATUSES),
      asked_ago_ms: agoMs(poll_interval_s ?? oneOf(SITE_INTERVALS_S)),
      answered_ago_ms: oneOf([null, random() * 86_400_000]),
    };
  });
  await database.db.transaction(async (tx) => {
    const given = sql`jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as given
      (n int, poll_interval_s int, lifecycle text, status text, asked_ago_ms float8, answered_ago_ms float8)`;
    await tx.execute(sql`
      with game as (
        insert into games (game_name, game_acronym, game_slug, tagline, description)
        values ('Any', 'ANY', 'any', '{"en":""}', '{"en":""}') returning game_id)
      insert into gameserver (game_id, server_name, host, game_port, adapter, visibility, poll_interval_s, lifecycle)
      select game_id, 'n' || n, '127.0.0.1', 2456, 'a2s', 'public', poll_interval_s, lifecycle from game, ${given}`);
    await tx.execute(sql`
      update gameserver_live_metrics m set status = given.status,
        last_asked_at = now() - given.asked_ago_ms * interval '1 millisecond',
        last_answered_at = now() - given.answered_ago_ms * interval '1 millisecond'
      from ${given} join gameserver s on s.server_name = 'n' || n where m.server_id = s.server_id`);
    // Within one transaction now() is the same for both.
    const now = await readDatabaseNow(tx);
    const measured = new Map((await listLiveMetrics(tx)).map((row) => [row.server_id, row]));
    const servers = await listVisibleGameServers(tx);
    assert.equal(servers.length, ROWS);
    const seen = new Set<string>();
    for (const siteIntervalS of SITE_INTERVALS_S) {
      const inSql = new Map(
        (
          await tx
            .select({ server_id: gameserver.server_id, status: shownStatusInSql(siteIntervalS) })
            .from(gameserver)
            .innerJoin(gameserverLiveMetrics, eq(gameserverLiveMetrics.server_id, gameserver.server_id))
        ).map(({ server_id, status }) => [server_id, status]),
      );
      for (const server of servers) {
        const row = measured.get(server.server_id);
        assert.ok(row);
        const { status } = presentLiveRow(row, server, siteIntervalS, now);
        seen.add(status);
        assert.equal(
          inSql.get(server.server_id),
          status,
          `STATUS_SEED=${seed}, site interval ${siteIntervalS} s: ${JSON.stringify(rows[Number(server.server_name.slice(1))])}`,
        );
      }
    }
    assert.equal(seen.size, 6, "every status occurs");
  });
});
