// Lists recent poll results of a game server, and requests an early poll.
import { desc, eq, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { gameserver, gameserverLiveMetrics, gameserverSample } from "#db/schema/index.ts";
import { tellDue } from "./due-channel.ts";

/**
 * Lists a game server's last results, newest first, from the seven days of stored raw results; `failure` is its name, null: it
 * answered.
 */
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

/** The fields of a record that a query needs; null when there is none. */
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

/** Makes a game server due: the collector polls it within a moment, unless a poll is in progress. */
export async function askSoon(db: Db, serverId: number): Promise<void> {
  await db
    .update(gameserverLiveMetrics)
    .set({ next_poll_at: sql`least(${gameserverLiveMetrics.next_poll_at}, now())` })
    .where(eq(gameserverLiveMetrics.server_id, serverId));
  await tellDue(db);
}
