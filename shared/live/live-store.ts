// The live figures where they are shown: a store that is fed by the stream, in a page or in another program.
import type { ConnectionState } from "../connection-state.ts";
import type { LiveRow } from "../live-row.ts";
import type { LivePage } from "./live-page.ts";

/** Everything that the stream tells at once. */
type LiveFigures = Omit<LivePage, "rendered_at" | "totals">;

export type LiveState = { state: ConnectionState; delayed_since: string | null };

/** What the stream says; the same shapes go over the wire and between the tabs of a browser. */
export type LiveMessage =
  | ({ type: "snapshot" } & LiveFigures)
  | { type: "delta"; epoch: string; seq: number; rows: LiveRow[] }
  | { type: "pulse"; asked: Record<number, string | null> };

export type LiveStore = ReturnType<typeof createLiveStore>;

/** A store that starts from what the page carries. */
export function createLiveStore(page: LivePage) {
  let { epoch, seq, catalog, asked } = page;
  let byId = new Map(page.rows.map((row) => [row.server_id, row]));
  let rows = page.rows;
  let state: LiveState = { state: "joining", delayed_since: page.delayed_since };
  const listeners = new Set<() => void>();

  function changed() {
    for (const listener of listeners) listener();
  }

  /** Keeps the object of a row that is the same, so that nothing that shows it renders again. */
  function put(row: LiveRow) {
    const old = byId.get(row.server_id);
    if (!old || JSON.stringify(old) !== JSON.stringify(row)) byId.set(row.server_id, row);
  }

  function replace(next: LiveFigures) {
    const old = byId;
    byId = new Map();
    for (const row of next.rows) {
      const before = old.get(row.server_id);
      if (before) byId.set(row.server_id, before);
      put(row);
    }
    ({ epoch, seq, catalog, asked } = next);
    rows = [...byId.values()];
    state = { ...state, delayed_since: next.delayed_since };
    changed();
  }

  return {
    renderedAt: Date.parse(page.rendered_at),
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    row: (id: number) => byId.get(id),
    rows: () => rows,
    state: () => state,
    asked: (id: number) => asked[id] ?? null,
    /** Where the store stands: the stream goes on from here. */
    position: () => ({ epoch, seq, catalog }),
    /** Everything, for a tab that has just opened. */
    snapshot: (): LiveMessage => ({
      type: "snapshot",
      epoch,
      seq,
      catalog,
      rows,
      asked,
      delayed_since: state.delayed_since,
    }),

    /** Takes a message in. False when it does not follow on what is known: a snapshot is needed then. */
    receive(message: LiveMessage): boolean {
      if (message.type === "pulse") {
        asked = message.asked;
        changed();
        return true;
      }
      if (message.type === "snapshot") {
        replace(message);
        return true;
      }
      if (message.epoch !== epoch || message.seq > seq + 1) return false;
      // What the page or a snapshot held already.
      if (message.seq <= seq) return true;
      for (const row of message.rows) put(row);
      seq = message.seq;
      rows = [...byId.values()];
      changed();
      return true;
    },

    /** A page that was fetched later: newer figures win, and the stream's word stands against another process's page. */
    adopt(next: LivePage) {
      const newer = next.epoch === epoch ? next.seq > seq : state.state !== "joined";
      if (newer) replace(next);
    },

    setState(next: ConnectionState) {
      if (state.state === next) return;
      state = { ...state, state: next };
      changed();
    },
  };
}
