// Lists, names and removes a member's passkeys; has them reviewed after a password was set by a link or the address changed.
import { and, desc, eq, isNotNull, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { passkeys, users } from "#db/schema/index.ts";
import { type Actor, recordAudit } from "../site/audit.ts";
import { tellSecurityChange } from "./security-mails.ts";

export type PasskeyInList = { passkey_id: string; name: string | null; created_at: Date };

/** The newest first. */
export async function listPasskeys(db: Db, userId: string): Promise<PasskeyInList[]> {
  return db
    .select({ passkey_id: passkeys.id, name: passkeys.name, created_at: passkeys.createdAt })
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(desc(passkeys.createdAt));
}

const mine = (userId: string, passkeyId: string) =>
  and(sql`${passkeys.id}::text = ${passkeyId}`, eq(passkeys.userId, userId));

/** Renames one of a member's passkeys. False: no such id. */
export async function renamePasskey(db: Db, userId: string, passkeyId: string, name: string): Promise<boolean> {
  const changed = await db
    .update(passkeys)
    .set({ name: name.trim().slice(0, 60) })
    .where(mine(userId, passkeyId))
    .returning({ id: passkeys.id });
  return changed.length > 0;
}

/** Removes one of the member's own passkeys and notifies them. False: no such id. */
export async function removePasskey(db: Db, actor: Actor, passkeyId: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const removed = await tx.delete(passkeys).where(mine(actor.user_id, passkeyId)).returning({ id: passkeys.id });
    if (removed.length === 0) return false;
    await recordAudit(tx, { what: "passkey-removed", actor_id: actor.user_id, origin: actor.origin });
    await tellSecurityChange(tx, { user_id: actor.user_id, what: "passkey-removed", origin: actor.origin });
    return true;
  });
}

/** Marks the account's passkeys, if any, for review: its password was set by a link, or its address changed. */
export async function askToCheckPasskeys(tx: Db, userId: string): Promise<void> {
  await tx
    .update(users)
    .set({ passkeys_unchecked_since: sql`now()` })
    .where(and(eq(users.id, userId), sql`exists (select 1 from passkeys where passkeys.user_id = ${userId}::uuid)`));
}
/** True if the member still has to review their passkeys. */
export async function hasUncheckedPasskeys(db: Db, userId: string): Promise<boolean> {
  return (await db.$count(users, and(eq(users.id, userId), isNotNull(users.passkeys_unchecked_since)))) > 0;
}

/** Records that the member has reviewed their passkeys. */
export async function recordPasskeysChecked(db: Db, userId: string): Promise<void> {
  await db.update(users).set({ passkeys_unchecked_since: null }).where(eq(users.id, userId));
}
