/** Writes player names to the row with the latest list: only for game servers whose list is on. */
import type { Logger } from "pino";
import type { Sql } from "#db/sql.ts";
import { playerNameKey } from "#shared/player-names.ts";
import type { Claimed } from "./claim.ts";

type ToldAt = Pick<Claimed, "serverId" | "adapter" | "host" | "gamePort" | "queryPort">;

export type PlayerListKeeper = {
  /** Takes the names from `server`; of each only the latest list waits. */
  take(server: ToldAt, names: string[]): void;
  /** Starts nothing more; settles when started writes are done. */
  stop(): Promise<void>;
};

/** Creates the writer. Drops lists that can't be written: the next one comes with the next poll. */
export function createPlayerListKeeper(sql: Sql, log: Logger): PlayerListKeeper {
  const waiting = new Map<number, { server: ToldAt; names: string[] }>();
  let working: Promise<void> | null = null;
  let stopped = false;

  async function work(): Promise<void> {
    while (waiting.size > 0 && !stopped) {
      const lists = [...waiting.values()];
      waiting.clear();
      // Without the error itself: the database may quote the refused row.
      await writeLists(sql, lists).catch(() => log.debug({ lists: lists.length }, "player lists could not be kept"));
    }
    working = null;
  }

  return {
    take(server, names) {
      if (stopped) return;
      waiting.set(server.serverId, { server, names });
      working ??= work();
    },
    async stop() {
      stopped = true;
      await working;
    },
  };
}

/**
 * Replaces each list if it is still wanted and the game server is still where it was polled. Leaves out names that members hide.
 */
async function writeLists(sql: Sql, lists: { server: ToldAt; names: string[] }[]): Promise<void> {
  const told = lists.map(({ server: { serverId, adapter, host, gamePort, queryPort }, names }) => ({
    server_id: serverId,
    adapter,
    host,
    game_port: gamePort,
    query_port: queryPort,
    names: names.map((name) => ({ name, key: playerNameKey(name) })),
  }));
  // Locks the game servers' rows, so that a list can't be turned off between check and write.
  await sql`
    WITH told AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(told)}::text::jsonb)
        AS t (server_id int, adapter text, host text, game_port int, query_port int, names jsonb)
    ), wanted AS (
      SELECT server_id, t.names FROM told t JOIN gameserver g USING (server_id)
      WHERE g.player_list AND g.visibility <> 'hidden' AND g.lifecycle = 'active' AND g.adapter = t.adapter
        AND (g.host, g.game_port, g.query_port) IS NOT DISTINCT FROM (t.host, t.game_port, t.query_port)
      ORDER BY server_id FOR SHARE OF g
    )
    INSERT INTO gameserver_player_lists (server_id, names, name_keys)
    SELECT server_id, coalesce(array_agg(n.name ORDER BY n.place) FILTER (WHERE n.name IS NOT NULL), '{}'),
      coalesce(array_agg(n.key ORDER BY n.place) FILTER (WHERE n.name IS NOT NULL), '{}')
    FROM wanted LEFT JOIN LATERAL (
      SELECT one->>'name' AS name, one->>'key' AS key, place
      FROM jsonb_array_elements(wanted.names) WITH ORDINALITY AS each (one, place)
      WHERE NOT EXISTS (SELECT FROM hidden_player_names h WHERE h.name_key = one->>'key')
    ) AS n ON true
    GROUP BY server_id
    ON CONFLICT (server_id) DO UPDATE SET
      names = excluded.names, name_keys = excluded.name_keys, told_at = now()`;
}
