// The game servers as the admin describes them; what was measured of them is in live-metrics.ts.

import { and, asc, eq, ne } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { games, gameserver } from "#db/schema/index.ts";

/** A game server as its pages show it: no query port, no token, no adapter options. */
export type GameServer = Awaited<ReturnType<typeof listVisibleGameServers>>[number];

/** Who looks: visitors see what is public, members also what is for members. What is hidden is for neither. */
export type Audience = "public" | "members";

/** Whether an audience may see a game server. */
export function mayBeSeen(server: GameServer, audience: Audience): boolean {
  return server.visibility === "public" || (server.visibility === "members" && audience === "members");
}

/** Every game server that is not hidden, of published games, in the admin's order. Ask `mayBeSeen` before showing one. */
export function listVisibleGameServers(db: Db) {
  return db
    .select({
      server_id: gameserver.server_id,
      game_slug: games.game_slug,
      game_name: games.game_name,
      server_name: gameserver.server_name,
      user_max: gameserver.user_max,
      server_locations: gameserver.server_locations,
      visibility: gameserver.visibility,
      lifecycle: gameserver.lifecycle,
      host: gameserver.host,
      game_port: gameserver.game_port,
      adapter: gameserver.adapter,
      poll_interval_s: gameserver.poll_interval_s,
      version: gameserver.version,
      flavour: gameserver.flavour,
      mods: gameserver.mods,
      join_link: gameserver.join_link,
      download_url: gameserver.download_url,
      description: gameserver.description,
    })
    .from(gameserver)
    .innerJoin(games, eq(games.game_id, gameserver.game_id))
    .where(and(ne(gameserver.visibility, "hidden"), eq(games.published, true)))
    .orderBy(asc(games.sort_order), asc(gameserver.sort_order), asc(gameserver.server_id));
}
