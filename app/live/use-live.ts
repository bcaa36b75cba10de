// Hooks by which components read the live figures.
import { createContext, useContext, useEffect, useState, useSyncExternalStore } from "react";
import type { LiveRow } from "#shared/live-row.ts";
import type { LiveState, LiveStore } from "#shared/live-store.ts";

/** The page's store; set by LiveProvider. */
export const LiveStoreContext = createContext<LiveStore | null>(null);

function useStore(): LiveStore {
  const store = useContext(LiveStoreContext);
  if (!store) throw new Error("live figures are read outside of LiveProvider");
  return store;
}

/** The figures of one game server, undefined when it is not (or no longer) public. */
export function useLiveRow(serverId: number): LiveRow | undefined {
  const store = useStore();
  return useSyncExternalStore(
    store.subscribe,
    () => store.row(serverId),
    () => store.row(serverId),
  );
}

/** The figures of every public game server. The array is a new one only after a change. */
export function useLiveRows(): LiveRow[] {
  const store = useStore();
  return useSyncExternalStore(store.subscribe, store.rows, store.rows);
}

/** Reads every figure of this moment when it is called: for what is settled once and does not follow each change. */
export function useLiveReader(): () => LiveRow[] {
  return useStore().rows;
}

/** How the live connection stands, and since when the figures are delayed (null: they are current). */
export function useLiveState(): LiveState {
  const store = useStore();
  return useSyncExternalStore(store.subscribe, store.state, store.state);
}

/** ISO time at which a game server was last asked; null when never. */
export function useAsked(serverId: number): string | null {
  const store = useStore();
  return useSyncExternalStore(
    store.subscribe,
    () => store.asked(serverId),
    () => store.asked(serverId),
  );
}

const TICK_MS = 5_000;

/** Now in ms: the server's time of rendering until the page is hydrated, then the browser's, every five seconds. */
export function useNow(): number {
  const store = useStore();
  const [now, setNow] = useState(store.renderedAt);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
