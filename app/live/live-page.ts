// The figures that a page carries, picked from the site.
import type { LivePage } from "#shared/live/live-page.ts";
import type { Shows } from "#shared/live/shown-figures.ts";
import type { SiteSnapshot } from "#web/pages/site-snapshot.ts";

/**
 * What a loader gives as `live`: the figures that its page shows. LiveProvider finds it there and has the stream follow them.
 * A game server or a game that the reader may not see is left out.
 */
export function livePage(site: SiteSnapshot, { site: ofSite = false, games = [], servers = [] }: Shows = {}): LivePage {
  const rows = servers.flatMap((id) => site.rowOf(id) ?? []);
  const ofGames = games.flatMap((id) => {
    const totals = site.totalsOf(id);
    return totals ? [[id, totals] as const] : [];
  });
  return {
    epoch: site.epoch,
    seq: site.seq,
    catalog: site.catalog,
    rows,
    // Also one without a row yet is followed.
    asked: Object.fromEntries(servers.map((id) => [id, site.askedOf(id)])),
    totals: {
      ...(ofSite && { site: site.totals() }),
      ...(ofGames.length > 0 && { games: Object.fromEntries(ofGames) }),
    },
    delayed_since: site.delayed_since,
    rendered_at: new Date().toISOString(),
  };
}
