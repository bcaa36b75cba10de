// What a member shows to others, and how they like the site.
import { eq } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { profiles } from "#db/schema/index.ts";

export type Profile = typeof profiles.$inferSelect;

/** A member's profile; null: there is no such user. */
export async function findProfile(db: Db, userId: string): Promise<Profile | null> {
  const [found] = await db.select().from(profiles).where(eq(profiles.user_id, userId));
  return found ?? null;
}
