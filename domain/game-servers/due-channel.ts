// The word to the collectors that a game server is due before its turn; without it they would find that within a second.
import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";

/** The channel of NOTIFY. */
export const DUE_CHANNEL = "polls";

/** Says so, when the transaction that makes it due is done. */
export async function tellDue(db: Pick<Db, "execute">): Promise<void> {
  await db.execute(sql`select pg_notify(${DUE_CHANNEL}, '')`);
}
