// The figures that a page carries, picked from the site.
import type { LivePage } from "#shared/live-store.ts";
import type { SiteSnapshot } from "#web/pages/site-snapshot.ts";

/** Picks from the site what the live client needs. */
export function livePage(site: SiteSnapshot): LivePage {
  return {
    epoch: site.epoch,
    seq: site.seq,
    catalog: site.catalog,
    rows: site.live,
    asked: Object.fromEntries([...site.asked].map(([id, { at }]) => [id, at])),
    delayed_since: site.delayed_since,
    rendered_at: new Date().toISOString(),
  };
}
