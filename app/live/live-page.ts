// Picks a page's live figures from the site.
import type { LivePage } from "#shared/live/live-page.ts";
import type { Shows } from "#shared/live/shown-figures.ts";
import type { SiteSnapshot } from "#web/pages/site-snapshot.ts";

/**
 * Returns the figures that a page shows, for the loader's field `live`; LiveProvider reads it and subscribes the stream to them.
 * Leaves out game servers and games that the reader may not see.
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
    // Includes game servers that have no row yet.
    asked: Object.fromEntries(servers.map((id) => [id, site.askedOf(id)])),
    totals: {
      ...(ofSite && { site: site.totals() }),
      ...(ofGames.length > 0 && { games: Object.fromEntries(ofGames) }),
    },
    delayed_since: site.delayed_since,
    rendered_at: new Date().toISOString(),
  };
}
