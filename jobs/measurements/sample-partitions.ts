/** Limits growing tables: one partition of samples per day, and removal of old data. */

import { LOCKS } from "#db/advisory-locks.ts";
import type { Queryable, Sql } from "#db/sql.ts";

const DAYS_AHEAD = 2;
const DAYS_KEPT = 7;
const DAY_MS = 86_400_000;

/**
 * Creates the partitions of today and the next days (UTC). With `removeOld`, drops those older than seven days and removes status
 * events and gaps older than two years and collectors without a pulse for a day. Idempotent; concurrent callers wait and then find
 * nothing to do.
 * @param removeOld false while the clock isn't known to run steadily: a wrong date must not cost the history
 */
export async function keepSamplesInBounds(sql: Sql, removeOld: boolean): Promise<void> {
  await sql.begin(async (transaction) => {
    await transaction`SELECT pg_advisory_xact_lock(${LOCKS.samplePartitions})`;
    const [clock] = await transaction<
      { now_ms: number }[]
    >`SELECT (extract(epoch FROM now()) * 1000)::float8 AS now_ms`;
    const today = Math.floor((clock?.now_ms ?? Date.now()) / DAY_MS);
    // A backup holds its locks while it runs. Results must not queue up behind this statement: retry in the next hour.
    await transaction`SET LOCAL lock_timeout = '1s'`;
    for (let day = today; day <= today + DAYS_AHEAD; day++) await addSamplePartition(transaction, day);
    if (!removeOld) return;
    const partitions = await transaction<{ name: string }[]>`
      SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'gameserver_sample'::regclass`;
    const oldest = partitionName(today - DAYS_KEPT);
    for (const { name } of partitions) {
      if (/^gameserver_sample_\d{8}$/.test(name) && name < oldest) await transaction.unsafe(`DROP TABLE "${name}"`);
    }
    // A game server's newest event stays, however old: it says the status ever since.
    await transaction`DELETE FROM gameserver_status_event old WHERE changed_at < now() - interval '2 years' AND EXISTS (
      SELECT FROM gameserver_status_event newer
      WHERE newer.server_id = old.server_id AND newer.changed_at > old.changed_at AND newer.changed_at < now() - interval '2 years')`;
    await transaction`DELETE FROM gameserver_watch_gap WHERE ends_at < now() - interval '2 years'`;
    await transaction`DELETE FROM collector_process WHERE last_tick_at < now() - interval '1 day'`;
  });
}

/** Creates the partition of a day, given in days since 1970, if it doesn't exist. */
export async function addSamplePartition(sql: Queryable, day: number): Promise<void> {
  // Bounds and names contain only digits of a date; this statement takes no parameters.
  await sql.unsafe(
    `CREATE TABLE IF NOT EXISTS "${partitionName(day)}" PARTITION OF gameserver_sample
       FOR VALUES FROM ('${dateOf(day)}T00:00:00Z') TO ('${dateOf(day + 1)}T00:00:00Z')`,
  );
}

/** The partition's name for a day, given in days since 1970. */
export function partitionName(day: number): string {
  return `gameserver_sample_${dateOf(day).replaceAll("-", "")}`;
}

function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
