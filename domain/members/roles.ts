// Reads and changes a member's role; ensures that one admin who can log in always remains.
import { and, eq } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { type ROLES, roles, sessions, users } from "#db/schema/index.ts";
import { isActiveMember } from "../accounts/active-members.ts";

export type Role = (typeof ROLES)[number];

/** True if the site has an admin. */
export async function hasAdmin(db: Db): Promise<boolean> {
  const found = await db.select({ id: roles.user_id }).from(roles).where(eq(roles.role, "admin")).limit(1);
  return found.length > 0;
}

/** A member's role; null: there is no such member. */
export async function findRole(db: Db, userId: string): Promise<Role | null> {
  const [found] = await db.select({ role: roles.role }).from(roles).where(eq(roles.user_id, userId));
  return found?.role ?? null;
}

/**
 * True if this is the only admin who can log in; banned and leaving admins don't count. Call it in the transaction of anything
 * that could remove an admin: it locks all admin rows until the end, so that concurrent transactions see each other's changes.
 */
export async function isLastAdmin(tx: Db, userId: string): Promise<boolean> {
  const admins = await tx
    .select({ user_id: roles.user_id })
    .from(roles)
    .innerJoin(users, eq(users.id, roles.user_id))
    .where(and(eq(roles.role, "admin"), isActiveMember()))
    // A fixed order prevents deadlocks.
    .orderBy(roles.user_id)
    .for("update");
  return admins.length === 1 && admins[0]?.user_id === userId;
}

/** Changes a member's role and ends all of their sessions, so that none continues with the old one. */
export async function updateRole(db: Db, userId: string, role: Role): Promise<void> {
  await db.transaction(async (tx) => {
    await tx
      .insert(roles)
      .values({ user_id: userId, role })
      .onConflictDoUpdate({ target: roles.user_id, set: { role, updated_at: new Date() } });
    await tx.delete(sessions).where(eq(sessions.userId, userId));
  });
}
