// Favourite game servers: stored in this browser only, shared by all its tabs.
import { useSyncExternalStore } from "react";
import { MOST_IDS } from "#shared/server-filter.ts";

const NAME = "spawnpoint-favourites";

const listeners = new Set<() => void>();
let known: { text: string; ids: ReadonlySet<number> } | null = null;

/** Reads and validates the stored ids. Where storage is blocked, favourites last as long as the page. */
function read(): ReadonlySet<number> {
  let text = known?.text ?? "[]";
  try {
    text = localStorage.getItem(NAME) ?? "[]";
  } catch {}
  if (known?.text !== text) known = { text, ids: new Set(parse(text)) };
  return known.ids;
}

function parse(text: string): number[] {
  try {
    const ids: unknown = JSON.parse(text);
    return Array.isArray(ids) ? ids.filter((id) => Number.isSafeInteger(id)).slice(0, MOST_IDS) : [];
  } catch {
    return [];
  }
}

function subscribe(listener: () => void) {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === NAME || key === null) listener();
  };
  listeners.add(listener);
  addEventListener("storage", onStorage);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", onStorage);
  };
}

/** Ids of the favourites; null on the server and until hydration. */
export function useFavourites(): ReadonlySet<number> | null {
  return useSyncExternalStore<ReadonlySet<number> | null>(subscribe, read, () => null);
}

/** Adds or removes a favourite. */
export function toggleFavourite(serverId: number): void {
  const ids = new Set(read());
  if (!ids.delete(serverId)) ids.add(serverId);
  const text = JSON.stringify([...ids].slice(-MOST_IDS));
  known = { text, ids };
  try {
    localStorage.setItem(NAME, text);
  } catch {}
  for (const listener of listeners) listener();
}
