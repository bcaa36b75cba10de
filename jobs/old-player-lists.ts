/** Removes the lists of who is on that nobody has told anew: a game server that does not answer names nobody. */
import type { Sql } from "#db/sql.ts";

/** Removes those that were told ten minutes ago or earlier. */
export async function removeOldPlayerLists(sql: Sql): Promise<void> {
  await sql`DELETE FROM gameserver_player_lists WHERE told_at < now() - interval '10 minutes'`;
}
