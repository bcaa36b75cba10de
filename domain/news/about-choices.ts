// Lists the games and game servers that news may be about, for the admin's form.
import { asc, eq, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { games, gameserver } from "#db/schema/index.ts";
import { contains } from "../paging.ts";
import { aboutOf } from "./fields.ts";

/** Few enough to list all. */
const ALL_AT_ONCE = 30;
const MOST_FOUND = 20;

/** A game, or a game server with its game. `hidden`: no visitor sees it. */
export type AboutChoice = { value: string; name: string; game: string | null; hidden: boolean };

/** Lists `chosen` and all others, or, of many, those whose names contain `q`. `more`: the list may be incomplete. */
export async function listAboutChoices(
  db: Db,
  chosen: readonly string[],
  q: string,
): Promise<{ choices: AboutChoice[]; more: boolean }> {
  const [gameCount, serverCount] = await Promise.all([db.$count(games), db.$count(gameserver)]);
  const all = gameCount + serverCount <= ALL_AT_ONCE;
  const ids = chosen.map(aboutOf);
  const wants = (name: typeof games.game_name | typeof gameserver.server_name) =>
    all ? sql`true` : q === "" ? sql`false` : contains(name, q);
  const pick = (column: typeof games.game_id | typeof gameserver.server_id, some: number[]) =>
    sql`${column} = any(${sql.param(some)}::int[])`;
  const gameIds = ids.flatMap(({ game_id }) => game_id ?? []);
  const serverIds = ids.flatMap(({ server_id }) => server_id ?? []);
  const [someGames, someServers] = await Promise.all([
    db
      .select({ id: games.game_id, name: games.game_name, published: games.published })
      .from(games)
      .where(sql`${pick(games.game_id, gameIds)} or ${wants(games.game_name)}`)
      .orderBy(sql`${pick(games.game_id, gameIds)} desc`, asc(games.sort_order), asc(games.game_id))
      .limit(gameIds.length + (all ? ALL_AT_ONCE : MOST_FOUND)),
    db
      .select({
        id: gameserver.server_id,
        name: gameserver.server_name,
        game: games.game_name,
        published: games.published,
        visibility: gameserver.visibility,
      })
      .from(gameserver)
      .innerJoin(games, eq(games.game_id, gameserver.game_id))
      .where(sql`${pick(gameserver.server_id, serverIds)} or ${wants(gameserver.server_name)}`)
      .orderBy(
        sql`${pick(gameserver.server_id, serverIds)} desc`,
        asc(games.sort_order),
        asc(gameserver.sort_order),
        asc(gameserver.server_id),
      )
      .limit(serverIds.length + (all ? ALL_AT_ONCE : MOST_FOUND)),
  ]);
  return {
    choices: [
      ...someGames.map(({ id, name, published }) => ({ value: `game:${id}`, name, game: null, hidden: !published })),
      ...someServers.map(({ id, name, game, published, visibility }) => ({
        value: `server:${id}`,
        name,
        game,
        hidden: !published || visibility === "hidden",
      })),
    ],
    more: !all,
  };
}
