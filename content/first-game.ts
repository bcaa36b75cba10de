// Defines a game that ships with Spawnpoint: its row in games.
import type { games } from "#db/schema/games.ts";

/** A game as first inserted; its position on the home page is set when it is added. */
export type FirstGame = Omit<
  typeof games.$inferInsert,
  "game_id" | "sort_order" | "created_at" | "updated_at" | "published" | "catalogue_id" | "join_link"
> & { picture: string };
