// Reads the live stream: one connection for all tabs of a browser, held by the tab with the lock, for everything that any tab
// shows; passed on by BroadcastChannel. Without locks, each tab has its own connection.
import type { ConnectionState } from "#shared/connection-state.ts";
import {
  type HeldStream,
  holdStream,
  JOIN_TIMEOUT_MS,
  type OpenStream,
  type SayShows,
  SILENCE_MS,
  STREAM_EVENTS,
  streamQuery,
} from "#shared/live/live-connection.ts";
import { EMPTY_LIVE_PAGE } from "#shared/live/live-page.ts";
import { createLiveStore, type LiveMessage, type LivePosition, type LiveStore } from "#shared/live/live-store.ts";
import { MOST_TOPICS, type Topic } from "#shared/live/live-topics.ts";
import { tellSession } from "./auth-events.ts";

const NAME = "spawnpoint-live-topics";
/** Interval at which a tab reports that it is open; browsers limit background tabs to once a minute. */
const SAY_AGAIN_MS = 20_000;
/** A tab silent for this long has closed without saying so. */
const FORGOTTEN_MS = 150_000;
/** How long a tab that takes the lead waits for the others' topics before it opens the stream. */
const ROLL_CALL_MS = 60;

type TabMessage =
  /** Topics that a tab shows; `answer`: it wants the known figures sent. */
  | { type: "shows"; tab: string; topics: Topic[]; answer: boolean }
  | { type: "gone"; tab: string }
  /** The leading tab requests what the others show. */
  | { type: "who" }
  /** A message of the stream, numbered. */
  | { type: "told"; lead: string; n: number; message: LiveMessage }
  | { type: "state"; state: ConnectionState };

export type FollowedStream = { showAgain(): void; leave(): void };

/** Feeds the stream into the store until ended; `showAgain`: the store's topics have changed. */
export function followLiveStream(store: LiveStore): FollowedStream {
  const ended = new AbortController();
  const tabs = "BroadcastChannel" in globalThis ? new BroadcastChannel(NAME) : null;
  const me = randomName();
  let leading: ReturnType<typeof startLead> | null = null;
  let giveUp: (() => void) | null = null;
  let silence: ReturnType<typeof setTimeout>;
  let last: { lead: string; n: number } | null = null;

  const post = (message: TabMessage) => tabs?.postMessage(message);

  /** Sends this tab's topics to the leading tab. */
  function say(answer = true) {
    if (leading) leading.showOwn();
    else post({ type: "shows", tab: me, topics: store.topics(), answer });
  }

  function lead(): Promise<void> {
    return new Promise((resolve) => {
      leading = startLead(store, me, post);
      giveUp = () => {
        giveUp = null;
        leading?.close();
        leading = null;
        resolve();
      };
      if (ended.signal.aborted) giveUp();
    });
  }

  function requestLead(steal: boolean) {
    const options = steal ? { steal } : { signal: ended.signal };
    navigator.locks.request(NAME, options, lead).catch(() => {
      // Ended while waiting, or another tab took over because this one was silent: follow again.
      giveUp?.();
      if (ended.signal.aborted) return;
      say();
      requestLead(false);
    });
  }

  /** Restarts the timer after which the leading tab counts as suspended. */
  function heard(wait = SILENCE_MS) {
    clearTimeout(silence);
    silence = setTimeout(() => {
      if (!leading && navigator.locks) requestLead(true);
    }, wait);
  }

  tabs?.addEventListener("message", ({ data }: MessageEvent<TabMessage>) => {
    if (leading) {
      if (data.type === "shows") leading.hear(data);
      else if (data.type === "gone") leading.forget(data.tab);
      return;
    }
    if (data.type === "who") say();
    if (data.type !== "told" && data.type !== "state") return;
    heard();
    if (data.type === "state") return store.setState(data.state);
    // A message of another leader, or a gap: request this tab's topics again.
    if (last && (last.lead !== data.lead || data.n !== last.n + 1)) say();
    last = { lead: data.lead, n: data.n };
    store.receive(data.message);
    // Only the leading tab knows the stream's position.
    store.stand(null);
  });

  const again = setInterval(() => leading ?? say(false), SAY_AGAIN_MS);
  if (tabs && navigator.locks) {
    heard(JOIN_TIMEOUT_MS);
    requestLead(false);
    say();
  } else void lead();

  return {
    showAgain: () => say(),
    leave() {
      ended.abort();
      clearTimeout(silence);
      clearInterval(again);
      store.setState("leaving");
      if (!leading) post({ type: "gone", tab: me });
      giveUp?.();
      tabs?.close();
      store.setState("closed");
    },
  };
}

/** Holds the stream for all tabs that report their topics. */
function startLead(own: LiveStore, me: string, post: (message: TabMessage) => void) {
  /** Ordered by last report, latest last. */
  const showing = new Map<string, { topics: readonly Topic[]; heardAt: number }>();
  /** Figures of all tabs' topics. */
  const all = createLiveStore(EMPTY_LIVE_PAGE);
  const lead = randomName();
  let n = 0;
  let held: HeldStream | null = null;

  function tell(message: LiveMessage) {
    n += 1;
    post({ type: "told", lead, n, message });
    own.receive(message);
    own.stand(all.position());
  }

  /** Topics of all tabs; where the stream can't carry them all, those of the latest reports. */
  function union(): Topic[] {
    const topics = new Set<Topic>();
    for (const { topics: some } of [...showing.values()].reverse()) {
      for (const topic of some) if (topics.size < MOST_TOPICS) topics.add(topic);
    }
    return [...topics].sort();
  }

  /** Stores a tab's topics; `at`: the position of its figures. Returns the topics that were known before. */
  function keep(tab: string, topics: readonly Topic[], at: LivePosition | null): Topic[] {
    const before = new Set(all.topics());
    const known = topics.filter((topic) => before.has(topic));
    showing.delete(tab);
    showing.set(tab, { topics, heardAt: performance.now() });
    if (held) follow(at);
    return known;
  }

  function follow(at: LivePosition | null) {
    const before = all.topics();
    const topics = union();
    if (topics.join() === before.sort().join()) return;
    const stood = all.position();
    all.showTopics(topics);
    const isNew = topics.some((topic) => !before.includes(topic));
    held?.follow(topics, isNew ? at : stood);
  }

  /** The page itself brings the figures of this tab. */
  function showOwn() {
    const topics = own.topics();
    const known = keep(me, topics, own.position());
    const brought = topics.filter((topic) => !known.includes(topic));
    all.receive({ ...own.snapshotOf(brought), catalog: all.catalog() || own.catalog() });
    if (held) tell(all.snapshotOf(known));
  }

  function forget(tab: string) {
    if (showing.delete(tab) && held) follow(null);
  }

  function open() {
    const topics = union();
    all.showTopics(topics);
    showOwn();
    // Only another tab knows the figures it shows: then everything is sent again.
    const covered = topics.every((topic) => own.topics().includes(topic));
    all.stand(covered ? own.position() : null);
    held = holdStream(openEventSource, all, {
      told: {
        onMessage: tell,
        onStand: () => own.stand(all.position()),
        onState(state) {
          post({ type: "state", state });
          own.setState(state);
        },
        onSession: tellSession,
      },
      shows: topics,
      sayShows,
    });
  }

  showing.set(me, { topics: own.topics(), heardAt: performance.now() });
  post({ type: "who" });
  const calling = setTimeout(open, ROLL_CALL_MS);
  const forgetting = setInterval(() => {
    for (const [tab, { heardAt }] of showing) {
      if (tab !== me && performance.now() - heardAt > FORGOTTEN_MS) forget(tab);
    }
  }, FORGOTTEN_MS);

  return {
    showOwn,
    hear({ tab, topics, answer }: Extract<TabMessage, { type: "shows" }>) {
      const isKnown = showing.has(tab);
      const known = keep(tab, topics, null);
      if (!held || (isKnown && !answer)) return;
      tell(all.snapshotOf(known));
      post({ type: "state", state: all.state().state });
    },
    forget,
    close() {
      clearTimeout(calling);
      clearInterval(forgetting);
      held?.close();
    },
  };
}

const randomName = (): string => Math.random().toString(36).slice(2);

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
