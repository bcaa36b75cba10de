// Notifies collectors that a game server is due early; without it they would notice within a second.
import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";

/** The NOTIFY channel. */
export const DUE_CHANNEL = "polls";

/** Notifies when the caller's transaction commits. */
export async function tellDue(db: Pick<Db, "execute">): Promise<void> {
  await db.execute(sql`select pg_notify(${DUE_CHANNEL}, '')`);
}
