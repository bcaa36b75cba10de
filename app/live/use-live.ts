// Hooks by which components read the live figures.
import { createContext, useContext, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import type { LivePage } from "#shared/live/live-page.ts";
import type { LiveState, LiveStore } from "#shared/live/live-store.ts";
import type { Totals } from "#shared/live/shown-figures.ts";
import type { LiveRow } from "#shared/live-row.ts";

/** The store that the stream feeds, and what the page came with; set by LiveProvider. */
export const LiveContext = createContext<{ store: LiveStore; page: LivePage } | null>(null);

function useFigures() {
  const figures = useContext(LiveContext);
  if (!figures) throw new Error("live figures are read outside of LiveProvider");
  return figures;
}

/** What `read` gives of the store, again after each change; it gives the same object while nothing of it changed. */
function useStored<Value>(store: LiveStore, read: () => Value): Value {
  return useSyncExternalStore(store.subscribe, read, read);
}

/** The figures of one game server that this page shows, undefined when it is not (or no longer) to be seen. */
export function useLiveRow(serverId: number): LiveRow | undefined {
  const { store, page } = useFigures();
  const row = useStored(store, () => store.row(serverId));
  // What the store does not know yet is as the page came with it.
  return row === undefined ? page.rows.find(({ server_id }) => server_id === serverId) : (row ?? undefined);
}

/** The figures of the game servers that this page shows. The array is a new one only after a change. */
export function useLiveRows(): LiveRow[] {
  const { store, page } = useFigures();
  const rows = useStored(store, store.rows);
  return useMemo(() => rowsOf(page, store, rows), [page, store, rows]);
}

/** Reads those figures of this moment when it is called: for what is settled once and does not follow each change. */
export function useLiveReader(): () => LiveRow[] {
  const { store, page } = useFigures();
  return () => rowsOf(page, store, store.rows());
}

/** In the order of the page; one that has a row since stands at the end. */
function rowsOf(page: LivePage, store: LiveStore, rows: LiveRow[]): LiveRow[] {
  const first = page.rows.flatMap((row) => {
    const now = store.row(row.server_id);
    return now === undefined ? [row] : (now ?? []);
  });
  const ids = new Set(page.rows.map(({ server_id }) => server_id));
  return [...first, ...rows.filter(({ server_id }) => !ids.has(server_id) && server_id in page.asked)];
}

/** The site's totals, for a page whose loader shows them (`livePage(site, { site: true })`). */
export function useTotals(): Totals {
  const { store, page } = useFigures();
  return useStored(store, () => store.totals()) ?? page.totals.site ?? NOTHING;
}

/** The totals of a game, for a page whose loader shows them. */
export function useGameTotals(gameId: number): Totals {
  const { store, page } = useFigures();
  return useStored(store, () => store.totals(gameId)) ?? page.totals.games?.[gameId] ?? NOTHING;
}

/** How the live connection stands, and since when the figures are delayed (null: they are current). */
export function useLiveState(): LiveState {
  const { store } = useFigures();
  return useStored(store, store.state);
}

/** ISO time at which a game server was last asked; null when never. */
export function useAsked(serverId: number): string | null {
  const { store, page } = useFigures();
  return useStored(store, () => store.asked(serverId)) ?? page.asked[serverId] ?? null;
}

/** Where a page shows none. */
const NOTHING: Totals = {
  players_online: 0,
  players_known: true,
  players_reported: false,
  servers_online: 0,
  servers_total: 0,
  fullest: null,
};

const TICK_MS = 5_000;

/** Now in ms: the server's time of rendering until the page is hydrated, then the browser's, every five seconds. */
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
