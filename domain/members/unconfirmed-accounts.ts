// An account whose address nobody has confirmed: what it holds may have been prepared there by a stranger.
import { eq, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { accounts, passkeys, sessions, twoFactors, users } from "#db/schema/index.ts";
import { removeTokens } from "../sign-in/one-time-tokens.ts";
import { setPasswordHash } from "./users.ts";

/** Takes away every way into an account (passwords, other sites, passkeys, the second factor) and every session of it. */
async function removeWaysIn(tx: Db, userId: string): Promise<void> {
  for (const table of [accounts, passkeys, sessions, twoFactors])
    await tx.delete(table).where(eq(table.userId, userId));
  await tx.update(users).set({ twoFactorEnabled: false }).where(eq(users.id, userId));
}

/** The newest sign-up counts, and it alone: its password in place of everything that was there. The caller holds the row. */
export async function replacePrepared(tx: Db, userId: string, passwordHash: string): Promise<void> {
  await removeWaysIn(tx, userId);
  await setPasswordHash(tx, userId, passwordHash);
  // The sweep counts the days anew as well.
  await tx.update(users).set({ createdAt: sql`now()` }).where(eq(users.id, userId));
}

/**
 * The person has shown that mail to this address reaches them. Unless the sign-up was theirs, by the mark of its link,
 * nothing of what was prepared stays. Links of sign-ups are void then. The caller holds the row.
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
