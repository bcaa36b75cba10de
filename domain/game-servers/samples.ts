// What came of asking a game server lately, and having it asked anew.
import { desc, eq, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { gameserver, gameserverLiveMetrics, gameserverSample } from "#db/schema/index.ts";
import { tellDue } from "./due-channel.ts";

/** The last results of a game server, the newest first, of the seven days that raw results are kept; `failure` is its name, null: it answered. */
export function listLastSamples(db: Db, serverId: number, count: number) {
  return db
    .select({
      asked_at: gameserverSample.asked_at,
      status: gameserverSample.status,
      user_online: gameserverSample.user_online,
      user_max: gameserverSample.user_max,
      latency_ms: gameserverSample.latency_ms,
      failure: gameserverSample.failure,
    })
    .from(gameserverSample)
    .where(eq(gameserverSample.server_id, serverId))
    .orderBy(desc(gameserverSample.asked_at))
    .limit(count);
}

/** The record of a game server as far as asking it goes; null when there is none. */
export async function findAskedRecord(db: Db, serverId: number) {
  const [row] = await db
    .select({
      server_id: gameserver.server_id,
      server_name: gameserver.server_name,
      host: gameserver.host,
      game_port: gameserver.game_port,
      query_port: gameserver.query_port,
      adapter: gameserver.adapter,
      adapter_options: gameserver.adapter_options,
      adapter_secrets: gameserver.adapter_secrets,
      version: gameserver.version,
    })
    .from(gameserver)
    .where(eq(gameserver.server_id, serverId));
  return row ?? null;
}

/** Makes a game server due at once: the collector asks it within a moment, unless it is asking it already. */
export async function askSoon(db: Db, serverId: number): Promise<void> {
  await db
    .update(gameserverLiveMetrics)
    .set({ next_poll_at: sql`least(${gameserverLiveMetrics.next_poll_at}, now())` })
    .where(eq(gameserverLiveMetrics.server_id, serverId));
  await tellDue(db);
}
