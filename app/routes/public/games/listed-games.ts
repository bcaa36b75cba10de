// Orders the games for lists, and adds up their last 24 hours. For loaders only.
import { addCurves, type DayCurve } from "#domain/game-servers/day-curves.ts";
import type { Game } from "#domain/games/games.ts";
import { gameServersOf } from "#web/pages/catalog-index.ts";
import type { SiteSnapshot } from "#web/pages/site-snapshot.ts";
import { type Collecting, type Curve, packDay } from "../../../ui/sparkline/draw-curve.ts";

/** Returns all games, most players first, then those with online game servers; else in the operator's order. */
export function playedFirst({ games, totalsOf }: Pick<SiteSnapshot, "games" | "totalsOf">): Game[] {
  return games
    .map((game) => ({ game, totals: totalsOf(game.game_id) }))
    .sort(
      (a, b) =>
        (b.totals?.players_online ?? 0) - (a.totals?.players_online ?? 0) ||
        Number((b.totals?.servers_online ?? 0) > 0) - Number((a.totals?.servers_online ?? 0) > 0),
    )
    .map(({ game }) => game);
}

type Sum = { curve: DayCurve; firstAsked: string | null };

/** Caches sums as long as the curves: those are reread after minutes, a page is made every second. */
const sums = new WeakMap<ReadonlyMap<number, DayCurve>, WeakMap<SiteSnapshot["gameServers"], Map<string, Sum>>>();

/** Returns the last 24 hours of each game by slug, over all game servers that the reader may see. */
export function dayOfGames(
  site: Pick<SiteSnapshot, "gameServers" | "asked">,
  curves: ReadonlyMap<number, DayCurve>,
): (slug: string) => Curve | Collecting | null {
  const ofCatalogs = sums.get(curves) ?? new WeakMap<SiteSnapshot["gameServers"], Map<string, Sum>>();
  sums.set(curves, ofCatalogs);
  const kept = ofCatalogs.get(site.gameServers) ?? new Map<string, Sum>();
  ofCatalogs.set(site.gameServers, kept);
  return (slug) => {
    let sum = kept.get(slug);
    if (!sum) {
      const ids = gameServersOf(site, slug).map(({ server_id }) => server_id);
      const firsts = ids.flatMap((id) => site.asked.get(id)?.first_at ?? []);
      sum = {
        curve: addCurves(ids.map((id) => curves.get(id)).filter((curve) => curve !== undefined)),
        firstAsked: firsts.reduce<string | null>((first, at) => (first === null || at < first ? at : first), null),
      };
      // A game without any poll is summed again next time: its first answer doesn't change the catalogue.
      if (sum.firstAsked !== null) kept.set(slug, sum);
    }
    return packDay(sum.curve, sum.firstAsked);
  };
}
