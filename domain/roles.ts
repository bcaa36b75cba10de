// Which role a member has, and how it changes.
import { eq } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { type ROLES, roles, sessions } from "#db/schema/index.ts";

export type Role = (typeof ROLES)[number];

/** Whether anybody runs this site yet. */
export async function hasAdmin(db: Db): Promise<boolean> {
  const found = await db.select({ id: roles.user_id }).from(roles).where(eq(roles.role, "admin")).limit(1);
  return found.length > 0;
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
