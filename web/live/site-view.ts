// Keeps one audience's view of the site current: its snapshot for pages, and its changes, in order.
import { randomBytes } from "node:crypto";
import type { Audience } from "#domain/game-servers/game-servers.ts";
import { gameTopic, SITE_TOPIC, type Topic } from "#shared/live/live-topics.ts";
import type { Totals } from "#shared/live/shown-figures.ts";
import { catalogFor, type SiteSnapshot, snapshotFor, totalsOver } from "../pages/site-snapshot.ts";
import type { News, RowChange, SiteMemory } from "./site-memory.ts";

/** The minimum interval of totals, which contain only those that changed. */
const TOTALS_EVERY_MS = 1_000;

/** A changed total. */
export type TotalsChange = { topic: Topic; now: Totals; before: Totals | undefined };

/** A change as this audience may see it. `whole`: the catalog or the delay changed too, which requires a snapshot. */
export type LiveChange = { seq: number; whole: boolean; rows: RowChange[]; totals: TotalsChange[] };

/** Makes the view; pass it all news of the memory, in order. Its own numbering hides the changes of other audiences. */
export function createSiteView(
  audience: Audience,
  { state }: SiteMemory,
  site: Pick<SiteSnapshot, "demo" | "site_url" | "poll_interval_s">,
) {
  const epoch = randomBytes(6).toString("base64url");
  const listeners = new Set<(change: LiveChange) => void>();
  let seq = 0;
  let catalog = catalogFor(audience, state);
  let snapshot: SiteSnapshot | null = null;
  let totals = new Map<Topic, Totals>();
  /** Games with changed rows since their totals were sent. */
  const stale = new Set<number>();
  let toldAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  /** Sums up stale totals again, and returns those that changed. */
  function sumUp(): TotalsChange[] {
    if (stale.size === 0) return [];
    toldAt = performance.now();
    const changes: TotalsChange[] = [];
    const put = (topic: Topic, now: Totals) => {
      const before = totals.get(topic);
      if (JSON.stringify(now) === JSON.stringify(before)) return;
      totals.set(topic, now);
      changes.push({ topic, now, before });
    };
    for (const id of stale) put(gameTopic(id), totalsOver(catalog.ofGame.get(id) ?? [], state.shown));
    put(SITE_TOPIC, totalsOver(catalog.gameServers, state.shown));
    stale.clear();
    return changes;
  }

  /** Sums up all totals of a new catalog. */
  function sumAll() {
    totals = new Map();
    stale.clear();
    for (const id of catalog.ofGame.keys()) stale.add(id);
    totals.set(SITE_TOPIC, totalsOver(catalog.gameServers, state.shown));
    sumUp();
  }

  function tell(change: Omit<LiveChange, "seq">) {
    if (change.rows.length === 0 && change.totals.length === 0 && !change.whole) return;
    seq += 1;
    snapshot = null;
    for (const listener of listeners) listener({ seq, ...change });
  }

  return {
    read(): SiteSnapshot {
      // A new object for each position, so that caches by object work.
      const told = totals;
      snapshot ??= snapshotFor(catalog, state, {
        ...site,
        epoch,
        seq,
        totals: () => told.get(SITE_TOPIC) ?? totalsOver([], state.shown),
        totalsOf: (gameId) => told.get(gameTopic(gameId)),
      });
      return snapshot;
    },
    /** Calls back after each change, in order. Returns the function that ends the subscription. */
    subscribe(listener: (change: LiveChange) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Something without a notification has changed: the next read includes it. */
    renew() {
      snapshot = null;
    },
    take(news: News) {
      let whole = news.delayed;
      if (news.catalog) {
        const before = catalog.catalog;
        catalog = catalogFor(audience, state);
        whole ||= before !== catalog.catalog;
      }
      const rows = news.rows.filter(({ now }) => catalog.servers.has(now.server_id));
      for (const { now } of rows) {
        const game = catalog.gameOf.get(now.server_id);
        if (game !== undefined) stale.add(game);
      }
      if (whole) {
        sumAll();
        tell({ whole, rows, totals: [] });
        return;
      }
      const wait = toldAt + TOTALS_EVERY_MS - performance.now();
      tell({ whole, rows, totals: wait <= 0 ? sumUp() : [] });
      if (stale.size === 0 || timer !== undefined) return;
      timer = setTimeout(
        () => {
          timer = undefined;
          tell({ whole: false, rows: [], totals: sumUp() });
        },
        Math.max(0, wait),
      ).unref();
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
