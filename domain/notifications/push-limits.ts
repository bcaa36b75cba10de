// Stores rate limits of push services in Postgres, shared by all processes.
import { gt, lt, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { pushLimits } from "#db/schema/index.ts";

/** Pauses a push service for this many seconds; never shortens a limit set by another process. */
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

/** Reads the push services paused now, by host, with the seconds left. */
export async function readPushLimits(db: Db): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .select({ host: pushLimits.host, left_s: sql<number>`extract(epoch from ${pushLimits.resets_at} - now())::float8` })
    .from(pushLimits)
    .where(gt(pushLimits.resets_at, sql`now()`));
  return new Map(rows.map(({ host, left_s }) => [host, left_s]));
}

/** Removes expired limits. */
export async function removeOldPushLimits(db: Db): Promise<void> {
  await db.delete(pushLimits).where(lt(pushLimits.resets_at, sql`now()`));
}
