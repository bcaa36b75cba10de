// What leaves the server about the game servers among which somebody looks for one, and what they can be filtered by.
import type { DayCurve } from "#domain/game-servers/day-curves.ts";
import type { GameServer } from "#domain/game-servers/game-servers.ts";
import type { SiteSnapshot } from "#web/pages/site-snapshot.ts";
import { packDay } from "../../../ui/sparkline/draw-curve.ts";
import { showServer } from "./shown-server.ts";

export type FindableServer = ReturnType<typeof findableServers>[number];

/** All game servers that the reader may see, in the order of the games. */
export function findableServers(site: SiteSnapshot, curves: ReadonlyMap<number, DayCurve>) {
  return site.gameServers.map((server) => {
    const { server_id, server_name, address, join_href, user_max, lifecycle, flavour } = showServer(server);
    return {
      server_id,
      name: server_name,
      address,
      join_href,
      max: user_max,
      lifecycle,
      flavour,
      /** As their admin wrote them: a filter asks for them so; `locationTexts` has the texts. */
      locations: server.server_locations,
      game_slug: server.game_slug,
      game_name: server.game_name,
      kind: kindOf(server),
      curve: packDay(curves.get(server_id), site.asked.get(server_id)?.first_at ?? null),
    };
  });
}

/** Whether one needs mods to play there; null where its admin says nothing of it. */
function kindOf({ mods, flavour }: Pick<GameServer, "mods" | "flavour">): "vanilla" | "modded" | null {
  if (mods.length > 0 || /\bmod/i.test(flavour ?? "")) return "modded";
  return flavour ? "vanilla" : null;
}
