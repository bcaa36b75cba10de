// Stores a member's second factor; secret and codes arrive sealed or hashed and are returned unchanged.
import { and, eq, gt, isNull, lt, notExists, or, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { sessions, twoFactors, users } from "#db/schema/index.ts";
import { endSessions, type SessionHere } from "./users.ts";

/** This number of wrong codes in a row locks the second step of an account for LOCKED_S. */
const MOST_FAILURES = 10;
export const LOCKED_S = 15 * 60;

/** Stores a secret that isn't in use yet. False: one is in use already. */
export async function createSecondFactor(
  db: Db,
  userId: string,
  sealed: { secret: string; recoveryCodes: string },
): Promise<boolean> {
  const { secret, recoveryCodes: backupCodes } = sealed;
  const values = { secret, backupCodes, recovery_secret: null, verified: false, last_used_step: null };
  const kept = await db
    .insert(twoFactors)
    .values({ userId, ...values })
    .onConflictDoUpdate({ target: twoFactors.userId, set: values, setWhere: eq(twoFactors.verified, false) })
    .returning({ id: twoFactors.id });
  return kept.length > 0;
}

/** Finds the sealed secret, in use or not; null: there is none. */
export async function findSecondFactor(
  db: Db,
  userId: string,
): Promise<{ secret: string; recovery_secret: string | null; verified: boolean; locked: boolean } | null> {
  const { secret, recovery_secret, verified, lockedUntil } = twoFactors;
  const [found] = await db
    .select({ secret, recovery_secret, verified, locked: sql<boolean>`coalesce(${lockedUntil} > now(), false)` })
    .from(twoFactors)
    .where(eq(twoFactors.userId, userId));
  return found ?? null;
}

/** Counts a wrong code; after ten in a row the second step is locked. */
export async function recordWrongCode(db: Db, userId: string): Promise<void> {
  const { failedVerificationCount: count, lockedUntil } = twoFactors;
  const failures = sql`case when ${lockedUntil} <= now() then 1 else ${count} + 1 end`;
  await db
    .update(twoFactors)
    .set({
      failedVerificationCount: failures,
      lockedUntil: sql`case when ${failures} >= ${MOST_FAILURES} then now() + make_interval(secs => ${LOCKED_S}) end`,
    })
    .where(eq(twoFactors.userId, userId));
}

/** Forgets wrong codes after a right one. */
export async function forgetWrongCodes(db: Db, userId: string): Promise<void> {
  await db
    .update(twoFactors)
    .set({ failedVerificationCount: 0, lockedUntil: null })
    .where(eq(twoFactors.userId, userId));
}

/** Consumes a recovery code by its hash. False: unknown or used. */
export async function consumeRecoveryCode(db: Db, userId: string, hash: string): Promise<boolean> {
  const codes = sql`${twoFactors.backupCodes}::jsonb`;
  const used = await db
    .update(twoFactors)
    .set({ backupCodes: sql`(${codes} - ${hash}::text)::text` })
    .where(and(eq(twoFactors.userId, userId), sql`jsonb_exists(${codes}, ${hash}::text)`))
    .returning({ id: twoFactors.id });
  return used.length > 0;
}

/** Uses up a code's 30-second step. False: it, or a later one, was used before; of two at once, one wins. */
export async function claimTotpStep(db: Db, userId: string, step: number): Promise<boolean> {
  const claimed = await db
    .update(twoFactors)
    .set({ last_used_step: step })
    .where(
      and(eq(twoFactors.userId, userId), or(isNull(twoFactors.last_used_step), lt(twoFactors.last_used_step, step))),
    )
    .returning({ id: twoFactors.id });
  return claimed.length > 0;
}

/** Turns the second factor on. Sessions that began without it end, except the given one. */
export async function enableSecondFactor(db: Db, userId: string, except: SessionHere): Promise<void> {
  await db.update(twoFactors).set({ verified: true }).where(eq(twoFactors.userId, userId));
  await db.update(users).set({ twoFactorEnabled: true, updatedAt: new Date() }).where(eq(users.id, userId));
  await endSessions(db, userId, except);
}

/** Turns the second factor off and deletes it. False: it wasn't on. */
export async function removeSecondFactor(db: Db, userId: string): Promise<boolean> {
  await db.delete(twoFactors).where(eq(twoFactors.userId, userId));
  const removed = await db
    .update(users)
    .set({ twoFactorEnabled: false, updatedAt: new Date() })
    .where(and(eq(users.id, userId), eq(users.twoFactorEnabled, true)))
    .returning({ id: users.id });
  return removed.length > 0;
}

/** Replaces the recovery codes (hashed). False: no second factor is on. */
export async function updateRecoveryCodes(db: Db, userId: string, hashes: string): Promise<boolean> {
  const changed = await db
    .update(twoFactors)
    .set({ backupCodes: hashes, recovery_secret: null })
    .where(and(eq(twoFactors.userId, userId), eq(twoFactors.verified, true)))
    .returning({ id: twoFactors.id });
  return changed.length > 0;
}

/**
 * Removes factors that were begun but never turned on. Both steps need a recently proven session, so without a session from the
 * last day the set-up is abandoned.
 */
export async function sweepBegunSecondFactors(db: Db): Promise<void> {
  const young = and(eq(sessions.userId, twoFactors.userId), gt(sessions.createdAt, sql`now() - interval '1 day'`));
  await db
    .delete(twoFactors)
    .where(and(eq(twoFactors.verified, false), notExists(db.select({ one: sql`1` }).from(sessions).where(young))));
}
