/** The collector's pulse: proof of life, whether its data is delayed, and until when any collector watched. */
import type { Sql } from "#db/sql.ts";
import { DEAD_AFTER_S } from "#domain/site/collector-processes.ts";

/** `faultForMs`: since when the fault may have been ours, a little longer than results have been deferred. */
export type Pulse = { inFlight: number; delayedForMs: number | null; faultForMs?: number | null };

/** Two collectors that write at once may see each other's time a moment ahead of their own. */
const CLOCK_SLACK_S = 2;

/**
 * Writes the pulse; creates the row if it is missing (first time, or after a day without one). Returns whether another living
 * collector defers nothing.
 * While any collector works, every pulse moves `gameserver_watch`. If it stopped (none ran, none reached the database, all deferred
 * their results, the clock jumped), the first pulse afterwards writes a gap: a crash at any moment loses nothing, and up and down
 * times need no record of the end.
 * If `gameserver_watch` is ahead of now, the clock was put back: gaps and status changes written by the fast clock are moved back
 * to now. Left in the future, they would make the time until then neither up nor down, and out of order.
 */
export async function writePulse(sql: Sql, collectorId: string, pulse: Pulse): Promise<{ anotherSees: boolean }> {
  const { inFlight, delayedForMs, faultForMs = delayedForMs } = pulse;
  const [row] = await sql<{ another_sees: boolean }[]>`
    WITH other AS (
      SELECT EXISTS (
        SELECT FROM collector_process p
        WHERE p.collector_id <> ${collectorId}::uuid AND p.delayed_since IS NULL
          AND p.last_tick_at > now() - ${DEAD_AFTER_S}::int * interval '1 second') AS sees
    ), held AS (
      SELECT max(delayed_since) AS since FROM collector_process WHERE collector_id = ${collectorId}::uuid
    ), pulse AS (
    INSERT INTO collector_process (collector_id, started_at, last_tick_at, in_flight, delayed_since)
    VALUES (${collectorId}::uuid, now(), now(), ${inFlight}::int,
      now() - ${delayedForMs}::float8 * interval '1 millisecond')
    ON CONFLICT (collector_id) DO UPDATE SET
      last_tick_at = now(), in_flight = excluded.in_flight,
      -- The beginning is written once, or every pulse would be a change.
      delayed_since = CASE WHEN excluded.delayed_since IS NULL THEN NULL
        ELSE coalesce(collector_process.delayed_since, excluded.delayed_since) END
    ), stood AS (
      SELECT watched_until FROM gameserver_watch FOR UPDATE
    ), put_back AS (
      SELECT FROM stood WHERE watched_until > now() + ${CLOCK_SLACK_S}::int * interval '1 second'
    ), pulled_gaps AS (
      UPDATE gameserver_watch_gap SET starts_at = least(starts_at, now()),
        ends_at = CASE WHEN ends_at IS NOT NULL THEN least(ends_at, now()) END
      FROM put_back WHERE greatest(starts_at, ends_at) > now()
    ), pulled_changes AS (
      UPDATE gameserver_status_event SET changed_at = now(),
        last_answered_at = CASE WHEN last_answered_at IS NOT NULL THEN least(last_answered_at, now()) END,
        first_failed_at = CASE WHEN first_failed_at IS NOT NULL THEN least(first_failed_at, now()) END,
        last_failed_at = CASE WHEN last_failed_at IS NOT NULL THEN least(last_failed_at, now()) END
      FROM put_back WHERE changed_at > now()
    ), gap AS (
      INSERT INTO gameserver_watch_gap (starts_at, ends_at, reason)
      SELECT watched_until, now(), CASE WHEN watched_until <= held.since THEN 'own_fault' ELSE 'not_watched' END
      FROM stood, held
      WHERE ${delayedForMs}::float8 IS NULL
        AND watched_until <= now() AND (watched_until <= held.since OR watched_until < now() - ${DEAD_AFTER_S}::int * interval '1 second')
      RETURNING gap_id
    ), moved AS (
      INSERT INTO gameserver_watch AS watch (watched_until)
      SELECT now() - coalesce(${faultForMs}::float8, 0) * interval '1 millisecond'
      -- The count only says that the gap comes first: it reads the row as it stood.
      FROM other, (SELECT count(*) FROM gap) AS told WHERE ${delayedForMs}::float8 IS NULL OR NOT other.sees
      -- Held back it only goes back, to when the fault began; else it is now, even where the clock was ahead.
      ON CONFLICT ("only") DO UPDATE SET watched_until = CASE WHEN ${delayedForMs}::float8 IS NULL THEN excluded.watched_until
        ELSE least(watch.watched_until, excluded.watched_until) END
    )
    SELECT sees AS another_sees FROM other`;
  return { anotherSees: row?.another_sees === true };
}

/** Writes it, and passes the state of the other collectors to this one. */
export async function pulse(collector: {
  sql: Sql;
  collectorId: string;
  loop: { inFlight(): number; delayedForMs(): number | null; faultForMs(): number | null };
  onPulse(heard: { anotherSees: boolean }): void;
}): Promise<void> {
  const { sql, collectorId, loop, onPulse } = collector;
  const [inFlight, delayedForMs, faultForMs] = [loop.inFlight(), loop.delayedForMs(), loop.faultForMs()];
  onPulse(await writePulse(sql, collectorId, { inFlight, delayedForMs, faultForMs }));
}

/** Removes the row of a collector that stops normally. */
export async function removePulse(sql: Sql, collectorId: string): Promise<void> {
  await sql`DELETE FROM collector_process WHERE collector_id = ${collectorId}::uuid`;
}
