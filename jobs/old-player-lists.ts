/** Removes player lists that weren't renewed: an unreachable game server lists no names. */
import type { Sql } from "#db/sql.ts";

/** Removes lists reported ten minutes ago or earlier. */
export async function removeOldPlayerLists(sql: Sql): Promise<void> {
  await sql`DELETE FROM gameserver_player_lists WHERE told_at < now() - interval '10 minutes'`;
}
