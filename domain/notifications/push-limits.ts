// Push services that asked to be left alone, kept in Postgres, so that all processes of the site leave them alone together.
import { gt, lt, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { pushLimits } from "#db/schema/index.ts";

/** Notes that nothing goes to a push service for so many seconds; it never shortens what another process was told. */
export async function notePushLimit(db: Db, host: string, forS: number): Promise<void> {
  const resets_at = sql`now() + make_interval(secs => ${forS})`;
  await db
    .insert(pushLimits)
    .values({ host, resets_at })
    .onConflictDoUpdate({
      target: pushLimits.host,
      set: { resets_at: sql`greatest(${pushLimits.resets_at}, excluded.resets_at)` },
    });
}

/** The push services that are left alone now, by host: for how many seconds still. */
export async function readPushLimits(db: Db): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .select({ host: pushLimits.host, left_s: sql<number>`extract(epoch from ${pushLimits.resets_at} - now())::float8` })
    .from(pushLimits)
    .where(gt(pushLimits.resets_at, sql`now()`));
  return new Map(rows.map(({ host, left_s }) => [host, left_s]));
}

/** Removes what is over. */
export async function removeOldPushLimits(db: Db): Promise<void> {
  await db.delete(pushLimits).where(lt(pushLimits.resets_at, sql`now()`));
}
