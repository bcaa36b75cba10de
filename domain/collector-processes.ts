// The collectors that are running, as far as the database knows.

import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { collectorProcess } from "#db/schema/index.ts";

/**
 * The youngest pulse of any collector and since when data is held back; both null when none ever ran. It is not held back
 * as long as one collector goes on: that one asks what the others cannot.
 */
export async function findCollectorPulse(db: Db): Promise<{ last_tick_at: Date | null; delayed_since: Date | null }> {
  const [row] = await db
    .select({
      last_tick_at: sql<Date | null>`max(${collectorProcess.last_tick_at})`.mapWith(collectorProcess.last_tick_at),
      // A dead collector's word counts no longer than a minute.
      delayed_since:
        sql<Date | null>`case when not coalesce(bool_or(${collectorProcess.delayed_since} is null and ${collectorProcess.last_tick_at} > now() - interval '10 seconds'), false) then min(${collectorProcess.delayed_since}) filter (where ${collectorProcess.last_tick_at} > now() - interval '1 minute') end`.mapWith(
          collectorProcess.delayed_since,
        ),
    })
    .from(collectorProcess);
  return row ?? { last_tick_at: null, delayed_since: null };
}
