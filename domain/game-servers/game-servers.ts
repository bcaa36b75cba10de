// Game servers as the admin describes them; measurements are in live-metrics.ts.

import { and, asc, desc, eq, ne, type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { games, gameserver, gameserverLiveMetrics } from "#db/schema/index.ts";
import type { ShownStatus } from "#shared/statuses.ts";
import { contains, type ListPage, type ListQuery, ordered, readPage } from "../paging.ts";
import { pick } from "../visible-fields.ts";
import { GAME_SERVER_ON_PAGES, type GameServerRow } from "./fields.ts";
import { shownStatusInSql } from "./live-metrics.ts";

/** A game server for pages: no query port, no token, no adapter options. */
export type GameServer = Awaited<ReturnType<typeof listVisibleGameServers>>[number];

/** Visitors see public game servers, members also those for members. Neither sees hidden ones. */
export type Audience = "public" | "members";

/** True if an audience may see a game server. */
function mayBeSeen(server: GameServer, audience: Audience): boolean {
  return server.visibility === "public" || (server.visibility === "members" && audience === "members");
}

/**
 * A game server for an audience: null if it may not see it, and without the password if that is for others. Apply it to everything
 * shown.
 */
export function asSeenBy(server: GameServer, audience: Audience): GameServer | null {
  if (!mayBeSeen(server, audience)) return null;
  const { password, password_access: access } = server;
  const read = access === "public" || (access === "members" && audience === "members");
  return password === null || read ? server : { ...server, password: null };
}

/** Lists every game server that isn't hidden, of published games, in the admin's order. Pages apply `asSeenBy`. */
export function listVisibleGameServers(db: Db) {
  return db
    .select({
      ...pick(gameserver, GAME_SERVER_ON_PAGES),
      game_slug: games.game_slug,
      game_name: games.game_name,
    })
    .from(gameserver)
    .innerJoin(games, eq(games.game_id, gameserver.game_id))
    .where(and(ne(gameserver.visibility, "hidden"), eq(games.published, true)))
    .orderBy(asc(games.sort_order), asc(gameserver.sort_order), asc(gameserver.server_id));
}

/** Sort keys of the admin's list; `order` is the order of the pages. */
export const GAME_SERVER_SORTS = ["order", "server_id", "game", "server_name", "user_max", "visibility"] as const;
type GameServerSort = (typeof GAME_SERVER_SORTS)[number];

/** Lists every game server for admins, hidden ones too. `filter`: those of one game, of one status. */
export function listGameServers(
  db: Db,
  query: ListQuery<GameServerSort>,
  filter: { gameId: number | null; status: ShownStatus | null; siteIntervalS: number },
): Promise<ListPage<GameServerRow, GameServerSort>> {
  const { descending } = query;
  const status = shownStatusInSql(filter.siteIntervalS);
  const found = and(
    query.q ? contains(gameserver.server_name, query.q) : undefined,
    filter.gameId === null ? undefined : eq(gameserver.game_id, filter.gameId),
    filter.status === null ? undefined : sql`${status} = ${filter.status}`,
  );
  const inOrder = [ordered(games.sort_order, descending), ordered(games.game_id, descending)];
  const columns: Record<GameServerSort, SQL[]> = {
    order: [...inOrder, ordered(gameserver.sort_order, descending)],
    server_id: [],
    game: [
      ordered(sql`lower(${games.game_name})`, descending),
      ordered(sql`lower(${gameserver.server_name})`, descending),
    ],
    server_name: [ordered(sql`lower(${gameserver.server_name})`, descending)],
    user_max: [ordered(gameserver.user_max, descending)],
    visibility: [ordered(gameserver.visibility, descending)],
  };
  const live = eq(gameserverLiveMetrics.server_id, gameserver.server_id);
  return readPage(
    query,
    async () => {
      // Read measurements only if the filter needs them.
      if (filter.status === null) return db.$count(gameserver, found);
      const [row] = await db
        .select({ n: sql<number>`count(*)::int` })
        .from(gameserver)
        .innerJoin(gameserverLiveMetrics, live)
        .where(found);
      return row?.n ?? 0;
    },
    (limit, offset) =>
      db
        .select({
          server_id: gameserver.server_id,
          game_id: games.game_id,
          game_name: games.game_name,
          server_name: gameserver.server_name,
          user_max: gameserver.user_max,
          visibility: gameserver.visibility,
          server_locations: gameserver.server_locations,
          status,
        })
        .from(gameserver)
        .innerJoin(games, eq(games.game_id, gameserver.game_id))
        .innerJoin(gameserverLiveMetrics, live)
        .where(found)
        .orderBy(...columns[query.sort], descending ? desc(gameserver.server_id) : asc(gameserver.server_id))
        .limit(limit)
        .offset(offset),
  );
}
