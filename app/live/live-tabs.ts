// Holds one live stream for several tabs: it follows everything that any of them shows. Runs in a shared worker, or in a page
// where the browser has none.
import type { ConnectionState } from "#shared/connection-state.ts";
import {
  type HeldStream,
  holdStream,
  type OpenStream,
  type SayShows,
  STREAM_EVENTS,
  streamQuery,
} from "#shared/live/live-connection.ts";
import { EMPTY_LIVE_PAGE } from "#shared/live/live-page.ts";
import { createLiveStore, type LiveMessage, type LivePosition, type LiveStore } from "#shared/live/live-store.ts";
import { MOST_TOPICS, type Topic } from "#shared/live/live-topics.ts";

export type FromTab =
  /** What the tab shows now, and the figures that its page brought. */
  { type: "shows"; topics: Topic[]; figures: Snapshot; at: LivePosition | null } | { type: "leaves" };
type Snapshot = Extract<LiveMessage, { type: "snapshot" }>;

export type ToTab =
  /** `at`: the position of everything that the tab shows after this message. */
  | { type: "message"; message: LiveMessage; at: LivePosition | null }
  | { type: "position"; at: LivePosition | null }
  | { type: "state"; state: ConnectionState }
  | { type: "session"; signedIn: boolean };

type Tab = { topics: readonly Topic[]; send(message: ToTab): void };

/** Makes the connector of tabs: pass what a tab sends to the function that it returns. The last tab that leaves ends the stream. */
export function createLiveTabs(): (send: Tab["send"]) => (message: FromTab) => void {
  /** Ordered by last report, latest last. */
  const tabs = new Set<Tab>();
  let open: { store: LiveStore; stream: HeldStream } | null = null;

  const broadcast = (message: ToTab) => {
    for (const { send } of tabs) send(message);
  };

  /** Topics of all tabs; where the stream can't carry them all, those of the latest reports. */
  function allTopics(): Topic[] {
    const topics = new Set([...tabs].reverse().flatMap((tab) => tab.topics));
    return [...topics].slice(0, MOST_TOPICS).sort();
  }

  function start({ figures, at }: Extract<FromTab, { type: "shows" }>) {
    const store = createLiveStore(EMPTY_LIVE_PAGE);
    const topics = allTopics();
    store.showTopics(topics);
    store.receive(figures);
    store.stand(at);
    const told = {
      onMessage: (message: LiveMessage) => broadcast({ type: "message", message, at: store.position() }),
      onStand: () => broadcast({ type: "position", at: store.position() }),
      onState: (state: ConnectionState) => broadcast({ type: "state", state }),
      onSession: (signedIn: boolean) => broadcast({ type: "session", signedIn }),
    };
    open = { store, stream: holdStream(openEventSource, store, { told, shows: topics, sayShows }) };
  }

  /** Makes the stream follow the tabs' topics; `at`: the position of the page that brought new ones. */
  function follow({ store, stream }: NonNullable<typeof open>, at: LivePosition | null) {
    const before = new Set(store.topics());
    const topics = allTopics();
    const isNew = topics.some((topic) => !before.has(topic));
    if (!isNew && topics.length === before.size) return;
    const stood = store.position();
    store.showTopics(topics);
    stream.follow(topics, isNew ? at : stood);
  }

  function show(tab: Tab, shown: Extract<FromTab, { type: "shows" }>) {
    tab.topics = shown.topics;
    tabs.delete(tab);
    tabs.add(tab);
    if (!open) return start(shown);
    const { store } = open;
    const known = new Set(store.topics());
    follow(open, shown.at);
    // The page brings the figures of new topics. Of the others the stream may have newer ones.
    const brought = shown.topics.filter((topic) => !known.has(topic));
    const page = createLiveStore(EMPTY_LIVE_PAGE, { everything: true });
    page.receive(shown.figures);
    store.receive({ ...page.snapshotOf(brought), catalog: store.catalog() || shown.figures.catalog });
    const message = store.snapshotOf(shown.topics.filter((topic) => known.has(topic)));
    tab.send({ type: "message", message, at: store.position() });
    tab.send({ type: "state", state: store.state().state });
  }

  function leave(tab: Tab) {
    tabs.delete(tab);
    if (!open) return;
    if (tabs.size > 0) return follow(open, null);
    open.stream.close();
    open = null;
  }

  return (send) => {
    const tab: Tab = { topics: [], send };
    return (message) => (message.type === "shows" ? show(tab, message) : leave(tab));
  };
}

/** Opens the stream as an EventSource, which only reads; `holdStream` does the rest. */
const openEventSource: OpenStream = (query, told) => {
  const source = new EventSource(`/live${streamQuery(query)}`);
  source.onopen = told.opened;
  source.onerror = told.lost;
  for (const type of STREAM_EVENTS) source.addEventListener(type, ({ data }) => told.event(type, data));
  return () => source.close();
};

const sayShows: SayShows = async (body) => {
  const headers = { "Content-Type": "application/json" };
  const { ok } = await fetch("/live/shows", { method: "POST", headers, body: JSON.stringify(body) });
  return ok;
};
