// The figures that a page carries, and the position in the live stream that they were read at.
import type { LiveRow } from "#shared/live-row.ts";
import type { SiteSnapshot } from "#web/pages/site-snapshot.ts";

/** What the browser starts from: nothing that changes between this page and the stream is lost. */
export type LivePage = {
  epoch: string;
  seq: number;
  /** Names the catalog (games, game servers, brand) that the page shows. */
  catalog: string;
  rows: LiveRow[];
  /** ISO times of the last question to each game server, by server_id. */
  asked: Record<number, string | null>;
  delayed_since: string | null;
  /** ISO time of the server's rendering: the first "now" of the page. */
  rendered_at: string;
};

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
