// The collectors that are running, as far as the database knows.

import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { collectorProcess } from "#db/schema/index.ts";

/** A collector without a pulse for this long is taken for dead. */
export const DEAD_AFTER_S = 10;

/** Both null when no collector ever ran; `now` is the database's time of this answer. */
export type CollectorPulse = { last_tick_at: Date | null; delayed_since: Date | null; now: Date };

/**
 * The youngest pulse of any collector, and since when data is held back. It is not held back as long as one collector goes
 * on: that one asks what the others cannot.
 */
export async function findCollectorPulse(db: Db): Promise<CollectorPulse> {
  const [row] = await db
    .select({
      last_tick_at: sql<Date | null>`max(${collectorProcess.last_tick_at})`.mapWith(collectorProcess.last_tick_at),
      // A dead collector's word counts no longer than a minute.
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
