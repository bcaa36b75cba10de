// The games that the community plays.

import { asc, eq } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { games } from "#db/schema/index.ts";

/** A game as its pages show it. */
export type Game = Awaited<ReturnType<typeof listPublishedGames>>[number];

/** Every published game in the admin's order. */
export function listPublishedGames(db: Db) {
  return db
    .select({
      game_id: games.game_id,
      game_name: games.game_name,
      game_slug: games.game_slug,
      tagline: games.tagline,
      description: games.description,
      guide: games.guide,
      guide_boxes: games.guide_boxes,
      picture: games.picture,
    })
    .from(games)
    .where(eq(games.published, true))
    .orderBy(asc(games.sort_order), asc(games.game_id));
}
