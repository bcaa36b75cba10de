// The browser's end of the live stream: one connection for all tabs of a browser, held by whichever tab has the lock, which
// shows what all of them show; the others are told over a BroadcastChannel. Where the browser has no locks, each tab has its own.
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
/** A tab says so often that it is still there; browsers let those in the background speak once a minute. */
const SAY_AGAIN_MS = 20_000;
/** One that was silent for so long is gone without having said so. */
const FORGOTTEN_MS = 150_000;
/** So long a tab that takes over waits for what the others show, before it opens the stream for all. */
const ROLL_CALL_MS = 60;

type TabMessage =
  /** What a tab shows; `answer`: it wants to be told what is known of that. */
  | { type: "shows"; tab: string; topics: Topic[]; answer: boolean }
  | { type: "gone"; tab: string }
  /** Whoever leads asks what the others show. */
  | { type: "who" }
  /** The stream's word, counted. */
  | { type: "told"; lead: string; n: number; message: LiveMessage }
  | { type: "state"; state: ConnectionState };

export type FollowedStream = { showAgain(): void; leave(): void };

/** Follows the stream into the store until it is left; `showAgain`: the store shows something else now. */
export function followLiveStream(store: LiveStore): FollowedStream {
  const ended = new AbortController();
  const tabs = "BroadcastChannel" in globalThis ? new BroadcastChannel(NAME) : null;
  const me = randomName();
  let leading: ReturnType<typeof startLead> | null = null;
  let giveUp: (() => void) | null = null;
  let silence: ReturnType<typeof setTimeout>;
  let last: { lead: string; n: number } | null = null;

  const post = (message: TabMessage) => tabs?.postMessage(message);

  /** Says what this tab shows to whoever leads. */
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
      // Ended while waiting, or another tab took over because this one had fallen silent: follow again.
      giveUp?.();
      if (ended.signal.aborted) return;
      say();
      requestLead(false);
    });
  }

  /** Any word puts off the suspicion that whoever leads has gone to sleep. */
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
    // A word of another tab, or one that is missing: what is shown here is asked for again.
    if (last && (last.lead !== data.lead || data.n !== last.n + 1)) say();
    last = { lead: data.lead, n: data.n };
    store.receive(data.message);
    // Where the stream stands with all of it is known to whoever holds it.
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

/** Holds the stream for all tabs that say what they show. */
function startLead(own: LiveStore, me: string, post: (message: TabMessage) => void) {
  /** Those that spoke last come last. */
  const showing = new Map<string, { topics: readonly Topic[]; heardAt: number }>();
  /** All that is shown in any of them. */
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

  /** Of all tabs; where that is more than a stream tells, of those that spoke last. */
  function union(): Topic[] {
    const topics = new Set<Topic>();
    for (const { topics: some } of [...showing.values()].reverse()) {
      for (const topic of some) if (topics.size < MOST_TOPICS) topics.add(topic);
    }
    return [...topics].sort();
  }

  /** Keeps what a tab shows; `at`: where what it brings stands. Returns what of it was known before. */
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

  /** What this tab shows itself is known from its page. */
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
    // What another tab shows is known to that alone: then everything is told anew.
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

/** The stream as an EventSource of the browser's: it reads, and everything else is said by `holdStream`. */
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
