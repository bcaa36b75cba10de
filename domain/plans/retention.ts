// Removes old plans and incidents: occurrences after 90 days, ended plans and closed incidents after a year, unpublished drafts
// after a month.
import { and, isNotNull, isNull, lt, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { incidents, planOccurrences, plans } from "#db/schema/index.ts";

/** Removes old rows. Checks first, because each delete notifies every web process of a change. */
export async function removeOldPlansAndIncidents(db: Db): Promise<void> {
  const ages = [
    [
      planOccurrences,
      and(isNotNull(planOccurrences.over_at), lt(planOccurrences.ends_at, sql`now() - interval '90 days'`)),
    ],
    [plans, lt(plans.ended_at, sql`now() - interval '1 year'`)],
    [incidents, lt(incidents.closed_at, sql`now() - interval '1 year'`)],
    [incidents, and(isNull(incidents.published_at), lt(incidents.closed_at, sql`now() - interval '30 days'`))],
  ] as const;
  for (const [table, old] of ages) if ((await db.$count(table, old)) > 0) await db.delete(table).where(old);
}
