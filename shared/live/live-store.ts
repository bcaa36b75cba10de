// Stores the live figures for display; the stream feeds it, in a page or in another program.
import type { ConnectionState } from "../connection-state.ts";
import type { LiveRow } from "../live-row.ts";
import type { LivePage } from "./live-page.ts";
import { gameOf, gameTopic, SITE_TOPIC, serverOf, serverTopic, type Topic, topicsOf } from "./live-topics.ts";
import type { Totals } from "./shown-figures.ts";

export type LiveState = { state: ConnectionState; delayed_since: string | null };

type TotalsOf<Value> = { site?: Value; games?: Record<number, Value> };

/** The stream's messages; the same shapes are sent over the wire and between the tabs of a browser. */
export type LiveMessage =
  | {
      type: "snapshot";
      epoch: string;
      seq: number;
      catalog: string;
      rows: LiveRow[];
      /** Requested game servers that don't exist, or no longer. */
      gone?: number[];
      asked: Record<number, string | null>;
      totals?: TotalsOf<Totals>;
      delayed_since: string | null;
    }
  /** The changed fields of rows and totals; null: removed. */
  | {
      type: "delta";
      seq: number;
      rows?: (Partial<LiveRow> & { server_id: number })[];
      totals?: TotalsOf<Partial<Totals>>;
    }
  | { type: "pulse"; asked: Record<number, string | null> };

export type LiveStore = ReturnType<typeof createLiveStore>;

/** A stream's position to resume at. */
export type LivePosition = { epoch: string; seq: number; catalog: string };

/** Fields of a row that are absent if empty. */
const ABSENT = ["bots_online", "password_protected", "unknown_reason", "reachable_from"] as const;

/** Gets the topics of a page's data. */
function topicsOfPage({ asked, totals }: LivePage): Topic[] {
  const games = Object.keys(totals.games ?? {}).map(Number);
  const servers = Object.keys(asked).map(Number);
  return topicsOf({ site: totals.site !== undefined, games, servers });
}

/** Gets the position up to which everything known at both is known; null: there is none. */
export function earlierOf(one: LivePosition | null, other: LivePosition | null): LivePosition | null {
  if (one === null || other === null || one.epoch !== other.epoch || one.catalog !== other.catalog) return null;
  return one.seq <= other.seq ? one : other;
}

/** Makes a store from the page's data. `everything`: stores all that the stream sends, not only the page's topics. */
export function createLiveStore(page: LivePage, { everything = false } = {}) {
  let topics = new Set(topicsOfPage(page));
  /** Null: known to be removed. */
  let byId = new Map<number, LiveRow | null>(page.rows.map((row) => [row.server_id, row]));
  let totals = new Map<Topic, Totals>(totalsIn(page.totals));
  let asked = new Map(Object.entries(page.asked).map(([id, at]) => [Number(id), at]));
  let { catalog } = page;
  let position: LivePosition | null = page.epoch === "" ? null : positionOf(page);
  let rows = page.rows;
  let state: LiveState = { state: "joining", delayed_since: page.delayed_since };
  const listeners = new Set<() => void>();

  const shows = (topic: Topic) => everything || topics.has(topic);

  function changed() {
    const now = [...byId.values()].filter((row) => row !== null);
    if (now.length !== rows.length || now.some((row, n) => row !== rows[n])) rows = now;
    for (const listener of listeners) listener();
  }

  /** Keeps the object of an unchanged row, so that no component renders again. */
  function putRow(row: LiveRow) {
    const old = byId.get(row.server_id);
    if (!old || JSON.stringify(old) !== JSON.stringify(row)) byId.set(row.server_id, row);
  }

  function putTotals(topic: Topic, now: Totals) {
    if (JSON.stringify(totals.get(topic)) !== JSON.stringify(now)) totals.set(topic, now);
  }

  /** Applies a snapshot, or a page, to the shown topics. */
  function take(next: Pick<LivePage, "rows" | "asked" | "totals"> & { gone?: readonly number[] | undefined }) {
    for (const row of next.rows) if (shows(serverTopic(row.server_id))) putRow(row);
    for (const id of next.gone ?? []) if (shows(serverTopic(id))) byId.set(id, null);
    for (const [id, at] of Object.entries(next.asked)) if (shows(serverTopic(Number(id)))) asked.set(Number(id), at);
    for (const [topic, now] of totalsIn(next.totals)) if (shows(topic)) putTotals(topic, now);
  }

  return {
    renderedAt: Date.parse(page.rendered_at),
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    /** Undefined: not received yet; null: removed, or hidden from this reader. */
    row: (id: number) => byId.get(id),
    rows: () => rows,
    totals: (gameId?: number) => totals.get(gameId === undefined ? SITE_TOPIC : gameTopic(gameId)),
    /** All known totals; those of games by their ids. */
    allTotals(): { site?: Totals; games: Record<number, Totals> } {
      const site = totals.get(SITE_TOPIC);
      const games = [...totals].flatMap(([topic, of]) => {
        const id = gameOf(topic);
        return id === null ? [] : [[id, of] as const];
      });
      return { ...(site && { site }), games: Object.fromEntries(games) };
    },
    state: () => state,
    asked: (id: number) => asked.get(id) ?? null,
    catalog: () => catalog,
    topics: (): Topic[] => [...topics],
    /** The position of all that the store shows: the stream continues from here. Null: it needs the whole state. */
    position: () => position,
    stand(at: LivePosition | null) {
      position = at;
    },

    /** Gets the known state of these topics, for a tab that shows them too. */
    snapshotOf(some: readonly Topic[]): Extract<LiveMessage, { type: "snapshot" }> {
      const servers = some.flatMap((topic) => serverOf(topic) ?? []);
      const games = some.flatMap((topic) => gameOf(topic) ?? []);
      const site = some.includes(SITE_TOPIC) ? totals.get(SITE_TOPIC) : undefined;
      return {
        type: "snapshot",
        epoch: position?.epoch ?? "",
        seq: position?.seq ?? 0,
        catalog,
        rows: servers.flatMap((id) => byId.get(id) ?? []),
        gone: servers.filter((id) => byId.get(id) === null),
        asked: Object.fromEntries(servers.flatMap((id) => (asked.has(id) ? [[id, asked.get(id) ?? null]] : []))),
        totals: {
          ...(site && { site }),
          games: Object.fromEntries(games.flatMap((id) => [[id, totals.get(gameTopic(id))]]).filter(([, of]) => of)),
        },
        delayed_since: state.delayed_since,
      };
    },

    /** Applies a message; the caller sets the new position (`stand`). */
    receive(message: LiveMessage): void {
      if (message.type === "pulse") {
        for (const [id, at] of Object.entries(message.asked)) {
          if (shows(serverTopic(Number(id)))) asked.set(Number(id), at);
        }
      } else if (message.type === "snapshot") {
        if (everything) {
          const old = byId;
          byId = new Map();
          for (const { server_id } of message.rows) byId.set(server_id, old.get(server_id) ?? null);
          asked = new Map();
          totals = new Map();
        }
        take({ ...message, totals: message.totals ?? {} });
        catalog = message.catalog;
        state = { ...state, delayed_since: message.delayed_since };
      } else {
        for (const change of message.rows ?? []) {
          const old = byId.get(change.server_id);
          // Changed fields alone don't make a row that was not received yet.
          if (shows(serverTopic(change.server_id)) && (old || change.status)) putRow(merged(old, change));
        }
        for (const [topic, change] of totalsIn(message.totals ?? {})) {
          const old = totals.get(topic);
          if (shows(topic) && (old || change.servers_total !== undefined))
            putTotals(topic, { ...old, ...change } as Totals);
        }
      }
      changed();
    },

    /** Changes the shown topics; drops the data of all others. */
    showTopics(next: Iterable<Topic>) {
      topics = new Set(next);
      byId = new Map([...byId].filter(([id]) => topics.has(serverTopic(id))));
      asked = new Map([...asked].filter(([id]) => topics.has(serverTopic(id))));
      totals = new Map([...totals].filter(([topic]) => topics.has(topic)));
      changed();
    },

    /**
     * Shows a page that was fetched later. For topics shown before, newer figures win, and the stream's data win over another
     * process's page; the position is one at which all of it is known.
     */
    show(next: LivePage) {
      const before = topics;
      const at = positionOf(next);
      const joined = state.state === "joined";
      this.showTopics(topicsOfPage(next));
      const kept = [...topics].some((topic) => before.has(topic));
      const newer = position?.epoch === at.epoch ? at.seq > position.seq : !joined;
      if (!kept || newer) {
        take(next);
        state = { ...state, delayed_since: next.delayed_since };
        catalog = joined && !newer ? catalog : next.catalog;
        position = at;
      } else {
        take(added(next, before));
        position = earlierOf(position, at);
      }
      changed();
    },

    setState(next: ConnectionState) {
      if (state.state === next) return;
      state = { ...state, state: next };
      changed();
    },
  };
}

const positionOf = ({ epoch, seq, catalog }: LivePosition): LivePosition => ({ epoch, seq, catalog });

/** Gets a page's data of the topics that were not shown before. */
function added({ rows, asked, totals }: LivePage, before: ReadonlySet<Topic>) {
  const isNew = (id: number) => !before.has(serverTopic(id));
  const ofGames = Object.entries(totals.games ?? {}).filter(([id]) => !before.has(gameTopic(Number(id))));
  return {
    rows: rows.filter(({ server_id }) => isNew(server_id)),
    asked: Object.fromEntries(Object.entries(asked).filter(([id]) => isNew(Number(id)))),
    totals: {
      ...(totals.site && !before.has(SITE_TOPIC) && { site: totals.site }),
      games: Object.fromEntries(ofGames),
    },
  };
}

function totalsIn<Value>({ site, games }: TotalsOf<Value>): [Topic, Value][] {
  const ofGames = Object.entries(games ?? {}).map(([id, value]): [Topic, Value] => [gameTopic(Number(id)), value]);
  return site === undefined ? ofGames : [[SITE_TOPIC, site], ...ofGames];
}

/** Applies changed fields to a row. */
function merged(old: LiveRow | null | undefined, change: Partial<LiveRow> & { server_id: number }): LiveRow {
  const row = { ...old, ...change } as LiveRow;
  for (const name of ABSENT) if (row[name] === null) delete row[name];
  return row;
}
