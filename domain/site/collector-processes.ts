// Reads which collectors are running, according to the database.

import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { collectorProcess } from "#db/schema/index.ts";

/** A collector without a pulse for this long counts as dead. */
export const DEAD_AFTER_S = 10;

/** Both null if no collector ever ran; `now` is the database's time of this result. */
export type CollectorPulse = { last_tick_at: Date | null; delayed_since: Date | null; now: Date };

/**
 * Finds the latest pulse of any collector, and since when data is delayed. One live collector without a delay means no delay: it
 * polls what the others can't.
 */
export async function findCollectorPulse(db: Db): Promise<CollectorPulse> {
  const [row] = await db
    .select({
      last_tick_at: sql<Date | null>`max(${collectorProcess.last_tick_at})`.mapWith(collectorProcess.last_tick_at),
      // A dead collector's value counts for at most a minute.
      delayed_since:
        sql<Date | null>`case when not coalesce(bool_or(${collectorProcess.delayed_since} is null and ${collectorProcess.last_tick_at} > now() - ${DEAD_AFTER_S}::int * interval '1 second'), false) then min(${collectorProcess.delayed_since}) filter (where ${collectorProcess.last_tick_at} > now() - interval '1 minute') end`.mapWith(
          collectorProcess.delayed_since,
        ),
      now: sql<Date>`now()`.mapWith(collectorProcess.last_tick_at),
    })
    .from(collectorProcess);
  if (!row) throw new Error("a statement of sums had no row");
  return row;
}
