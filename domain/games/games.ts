// The games that the community plays.

import { asc, count, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { games, gameserver } from "#db/schema/index.ts";
import { contains, type ListPage, type ListQuery, ordered, readPage } from "../paging.ts";
import { pick } from "../visible-fields.ts";
import { GAME_ON_PAGES, type GameRow } from "./fields.ts";

/** A game as its pages show it. */
export type Game = Awaited<ReturnType<typeof listPublishedGames>>[number];

/** Lists published games in the admin's order. */
export function listPublishedGames(db: Db) {
  return db
    .select(pick(games, GAME_ON_PAGES))
    .from(games)
    .where(eq(games.published, true))
    .orderBy(asc(games.sort_order), asc(games.game_id));
}

/** Sort keys of the admin's list; `order` is the order of the home page. */
export const GAME_SORTS = ["order", "game_id", "game_name", "game_acronym", "server_count"] as const;
type GameSort = (typeof GAME_SORTS)[number];

/** Lists all games for admins, published or not, with a count of game servers. */
export function listGames(db: Db, query: ListQuery<GameSort>): Promise<ListPage<GameRow, GameSort>> {
  const found = query.q ? contains(games.game_name, query.q) : undefined;
  const servers = db
    .select({ game_id: gameserver.game_id, n: count().as("n") })
    .from(gameserver)
    .groupBy(gameserver.game_id)
    .as("servers");
  const server_count = sql<number>`coalesce(${servers.n}, 0)`.mapWith(Number);
  const columns: Record<GameSort, SQL> = {
    order: ordered(games.sort_order, query.descending),
    game_id: ordered(games.game_id, query.descending),
    game_name: ordered(sql`lower(${games.game_name})`, query.descending),
    game_acronym: ordered(sql`lower(${games.game_acronym})`, query.descending),
    server_count: ordered(server_count, query.descending),
  };
  return readPage(
    query,
    () => db.$count(games, found),
    (limit, offset) =>
      db
        .select({
          game_id: games.game_id,
          game_name: games.game_name,
          game_acronym: games.game_acronym,
          published: games.published,
          server_count,
        })
        .from(games)
        .leftJoin(servers, eq(servers.game_id, games.game_id))
        .where(found)
        .orderBy(columns[query.sort], query.descending ? desc(games.game_id) : asc(games.game_id))
        .limit(limit)
        .offset(offset),
  );
}
