/** This collector's row in collector_process: proof of life, and whether its data is delayed. */
import type { Sql } from "postgres";

export type Pulse = { inFlight: number; delayedForMs: number | null };

/** A collector without a pulse for this long is taken for dead. */
export const DEAD_AFTER_S = 10;

/**
 * Writes the pulse; makes the row where it is missing (first time, or after a day without one). Returns whether another
 * living collector holds nothing back.
 */
export async function writePulse(sql: Sql, collectorId: string, pulse: Pulse): Promise<{ anotherSees: boolean }> {
  const { inFlight, delayedForMs } = pulse;
  const [row] = await sql<{ another_sees: boolean }[]>`
    INSERT INTO collector_process (collector_id, started_at, last_tick_at, in_flight, delayed_since)
    VALUES (${collectorId}::uuid, now(), now(), ${inFlight}::int,
      now() - ${delayedForMs}::float8 * interval '1 millisecond')
    ON CONFLICT (collector_id) DO UPDATE SET
      last_tick_at = now(), in_flight = excluded.in_flight,
      -- The beginning is written once, or every pulse would be a change.
      delayed_since = CASE WHEN excluded.delayed_since IS NULL THEN NULL
        ELSE coalesce(collector_process.delayed_since, excluded.delayed_since) END
    RETURNING EXISTS (
      SELECT FROM collector_process p
      WHERE p.collector_id <> ${collectorId}::uuid AND p.delayed_since IS NULL
        AND p.last_tick_at > now() - ${DEAD_AFTER_S}::int * interval '1 second') AS another_sees`;
  return { anotherSees: row?.another_sees === true };
}

/** Writes it, and tells the collector what was heard of the others. */
export async function pulse(collector: {
  sql: Sql;
  collectorId: string;
  loop: { inFlight(): number; delayedForMs(): number | null };
  onPulse(heard: { anotherSees: boolean }): void;
}): Promise<void> {
  const { sql, collectorId, loop, onPulse } = collector;
  onPulse(await writePulse(sql, collectorId, { inFlight: loop.inFlight(), delayedForMs: loop.delayedForMs() }));
}

/** A collector that stops in order takes its row along. */
export async function removePulse(sql: Sql, collectorId: string): Promise<void> {
  await sql`DELETE FROM collector_process WHERE collector_id = ${collectorId}::uuid`;
}
