// The games as lists show them: in which order where there are many, and their last 24 hours. For loaders alone.
import { addCurves, type DayCurve } from "#domain/game-servers/day-curves.ts";
import type { Game } from "#domain/games/games.ts";
import { gameServersOf } from "#web/pages/catalog-index.ts";
import type { SiteSnapshot } from "#web/pages/site-snapshot.ts";
import { type Collecting, type Curve, packDay } from "../../../ui/sparkline/draw-curve.ts";

/** All games, those with the most players first, then those with game servers that are up; else in the operator's order. */
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

/** Sums of curves stay while the curves do: reading them anew takes minutes, a page is made every second. */
const sums = new WeakMap<ReadonlyMap<number, DayCurve>, WeakMap<SiteSnapshot["gameServers"], Map<string, Sum>>>();

/** The last 24 hours of each game by its slug, over all its game servers that the reader may see. */
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
      // A game of which nothing was asked yet is looked at again: its first answer is told by no change of the catalog.
      if (sum.firstAsked !== null) kept.set(slug, sum);
    }
    return packDay(sum.curve, sum.firstAsked);
  };
}
