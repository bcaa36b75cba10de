// A member's passkeys, as the settings list them.
import { and, desc, eq, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { passkeys } from "#db/schema/index.ts";

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

/** Names one of a member's passkeys. False: they have none of this id. */
export async function renamePasskey(db: Db, userId: string, passkeyId: string, name: string): Promise<boolean> {
  const changed = await db
    .update(passkeys)
    .set({ name: name.trim().slice(0, 60) })
    .where(mine(userId, passkeyId))
    .returning({ id: passkeys.id });
  return changed.length > 0;
}

/** Takes one of a member's passkeys away. False: they have none of this id. */
export async function removePasskey(db: Db, userId: string, passkeyId: string): Promise<boolean> {
  const removed = await db.delete(passkeys).where(mine(userId, passkeyId)).returning({ id: passkeys.id });
  return removed.length > 0;
}
