// The shape of one game that Spawnpoint ships with: its row in games, and the game servers it starts with.
import type { games } from "#db/schema/games.ts";
import type { gameserver } from "#db/schema/gameserver.ts";

type GameRow = typeof games.$inferInsert;
type GameServerRow = typeof gameserver.$inferInsert;

/** A game as it is first inserted; its place on the home page comes from the order in first-content.ts. */
export type FirstGame = {
  game: Omit<
    GameRow,
    "game_id" | "sort_order" | "created_at" | "updated_at" | "published" | "catalogue_id" | "join_link"
  > & { picture: string };
  servers: FirstGameServer[];
};

/**
 * A game server as it is first inserted: everything but its address. Without an address it stays hidden until an admin
 * gives one; only a retired one is public, since its page says that it is inactive.
 */
export type FirstGameServer = Omit<
  GameServerRow,
  | "server_id"
  | "game_id"
  | "host"
  | "visibility"
  | "heartbeat_token_hash"
  | "demo"
  | "sort_order"
  | "created_at"
  | "updated_at"
>;
