// Hooks that read the live figures.
import { createContext, useContext, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import type { LivePage } from "#shared/live/live-page.ts";
import type { LiveState, LiveStore } from "#shared/live/live-store.ts";
import type { Totals } from "#shared/live/shown-figures.ts";
import type { LiveRow } from "#shared/live-row.ts";

/** The store that the stream feeds, and the page's initial figures; set by LiveProvider. */
export const LiveContext = createContext<{ store: LiveStore; page: LivePage } | null>(null);

function useFigures() {
  const figures = useContext(LiveContext);
  if (!figures) throw new Error("live figures are read outside of LiveProvider");
  return figures;
}

/** Returns `read` of the store, again after each change; `read` must return the same object while nothing changed. */
function useStored<Value>(store: LiveStore, read: () => Value): Value {
  return useSyncExternalStore(store.subscribe, read, read);
}

/** Returns the figures of one game server on this page; undefined if it isn't visible (any more). */
export function useLiveRow(serverId: number): LiveRow | undefined {
  const { store, page } = useFigures();
  const row = useStored(store, () => store.row(serverId));
  // Falls back to the page's initial figures.
  return row === undefined ? page.rows.find(({ server_id }) => server_id === serverId) : (row ?? undefined);
}

/** Returns the figures of the page's game servers. The array changes only with its content. */
export function useLiveRows(): LiveRow[] {
  const { store, page } = useFigures();
  const rows = useStored(store, store.rows);
  return useMemo(() => rowsOf(page, store, rows), [page, store, rows]);
}

/** Returns a function that reads the current figures: for one-time reads that don't follow changes. */
export function useLiveReader(): () => LiveRow[] {
  const { store, page } = useFigures();
  return () => rowsOf(page, store, store.rows());
}

/** Orders rows as the page does; rows added since come last. */
function rowsOf(page: LivePage, store: LiveStore, rows: LiveRow[]): LiveRow[] {
  const first = page.rows.flatMap((row) => {
    const now = store.row(row.server_id);
    return now === undefined ? [row] : (now ?? []);
  });
  const ids = new Set(page.rows.map(({ server_id }) => server_id));
  return [...first, ...rows.filter(({ server_id }) => !ids.has(server_id) && server_id in page.asked)];
}

/** Returns the site's totals, for a page whose loader includes them (`livePage(site, { site: true })`). */
export function useTotals(): Totals {
  const { store, page } = useFigures();
  return useStored(store, () => store.totals()) ?? page.totals.site ?? NOTHING;
}

/** Returns a game's totals, for a page whose loader includes them. */
export function useGameTotals(gameId: number): Totals {
  const { store, page } = useFigures();
  return useStored(store, () => store.totals(gameId)) ?? page.totals.games?.[gameId] ?? NOTHING;
}

/** Returns the state of the live connection, and since when the figures are delayed (null: they are current). */
export function useLiveState(): LiveState {
  const { store } = useFigures();
  return useStored(store, store.state);
}

/** Returns the ISO time of a game server's last poll; null if never polled. */
export function useAsked(serverId: number): string | null {
  const { store, page } = useFigures();
  return useStored(store, () => store.asked(serverId)) ?? page.asked[serverId] ?? null;
}

/** For a page without totals. */
const NOTHING: Totals = {
  players_online: 0,
  players_known: true,
  players_reported: false,
  servers_online: 0,
  servers_total: 0,
  fullest: null,
};

const TICK_MS = 5_000;

/** Returns the current time in ms: the server's time of rendering until hydration, then the browser's, every five seconds. */
export function useNow(): number {
  const { store } = useFigures();
  const [now, setNow] = useState(store.renderedAt);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
