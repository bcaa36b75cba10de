// Accounts with an unconfirmed address: a stranger may have prepared their content.
import { eq, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { accounts, passkeys, sessions, twoFactors, users } from "#db/schema/index.ts";
import { removeTokens } from "./one-time-tokens.ts";
import { setPasswordHash } from "./users.ts";

/** Removes every login method of an account (passwords, other sites, passkeys, the second factor) and all of its sessions. */
async function removeWaysIn(tx: Db, userId: string): Promise<void> {
  for (const table of [accounts, passkeys, sessions, twoFactors])
    await tx.delete(table).where(eq(table.userId, userId));
  await tx.update(users).set({ twoFactorEnabled: false }).where(eq(users.id, userId));
}

/** Lets the newest sign-up win: its password replaces everything else. The caller has locked the row. */
export async function replacePrepared(tx: Db, userId: string, passwordHash: string): Promise<void> {
  await removeWaysIn(tx, userId);
  await setPasswordHash(tx, userId, passwordHash);
  // Restarts the sweep's countdown too.
  await tx.update(users).set({ createdAt: sql`now()` }).where(eq(users.id, userId));
}

/**
 * Marks the address as confirmed and voids sign-up links. Removes all prepared data unless the person's own sign-up, by the mark
 * of its link, created it. The caller has locked the row.
 */
export async function confirmEmail(
  tx: Db,
  userId: string,
  isTheirs: (mark: string | undefined) => boolean,
): Promise<void> {
  const [link] = await removeTokens(tx, "verify-email", "user_id", userId);
  if (!isTheirs(link?.sign_up)) await removeWaysIn(tx, userId);
  await tx.update(users).set({ emailVerified: true, updatedAt: new Date() }).where(eq(users.id, userId));
}
