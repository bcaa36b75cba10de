// The shape of one game that Spawnpoint ships with: its row in games.
import type { games } from "#db/schema/games.ts";

/** A game as it is first inserted; its place on the home page is decided where it is taken. */
export type FirstGame = Omit<
  typeof games.$inferInsert,
  "game_id" | "sort_order" | "created_at" | "updated_at" | "published" | "catalogue_id" | "join_link"
> & { picture: string };
