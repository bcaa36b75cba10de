// Names of online players, as members may read them. The caller checks who may see the game server.
import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";

/** Finds the last reported names, without those hidden by members; null: the list is turned off, or is older than five minutes. */
export async function findPlayerNames(db: Db, serverId: number): Promise<string[] | null> {
  const {
    rows: [found],
  } = await db.execute<{ names: string[] }>(sql`
    select coalesce((
      select array_agg(one.name order by one.place)
      from unnest(list.names, list.name_keys) with ordinality as one (name, key, place)
      where not exists (select from hidden_player_names hidden where hidden.name_key = one.key)
    ), '{}') as names
    from gameserver_player_lists list join gameserver using (server_id)
    where server_id = ${serverId} and player_list and list.told_at > now() - interval '5 minutes'`);
  return found?.names ?? null;
}
