// Which role a member has, how it changes, and the rule that there is always an admin who can come in.
import { and, eq } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { type ROLES, roles, sessions, users } from "#db/schema/index.ts";
import { isActiveMember } from "./active-members.ts";

export type Role = (typeof ROLES)[number];

/** Whether anybody runs this site yet. */
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
 * Whether this is the only admin who can come in; whoever is banned or leaving does not count. Whatever could take an admin
 * away asks this first, in its transaction: the rows of all admins stay locked until its end, so that of many who act at
 * once each sees what the ones before it have done.
 */
export async function isLastAdmin(tx: Db, userId: string): Promise<boolean> {
  const admins = await tx
    .select({ user_id: roles.user_id })
    .from(roles)
    .innerJoin(users, eq(users.id, roles.user_id))
    .where(and(eq(roles.role, "admin"), isActiveMember()))
    // In one order, so that nobody waits in a circle.
    .orderBy(roles.user_id)
    .for("update");
  return admins.length === 1 && admins[0]?.user_id === userId;
}

/** Gives a member a role. Every session of theirs ends, so that none goes on with the old one. */
export async function updateRole(db: Db, userId: string, role: Role): Promise<void> {
  await db.transaction(async (tx) => {
    await tx
      .insert(roles)
      .values({ user_id: userId, role })
      .onConflictDoUpdate({ target: roles.user_id, set: { role, updated_at: new Date() } });
    await tx.delete(sessions).where(eq(sessions.userId, userId));
  });
}
