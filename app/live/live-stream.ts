// The browser's end of the live stream: one connection for all tabs of a browser, held by whichever tab has the lock; the
// others are told over a BroadcastChannel. Where the browser has no locks, each tab has its own.
import type { ConnectionState } from "#shared/connection-state.ts";
import {
  holdStream,
  JOIN_TIMEOUT_MS,
  type OpenStream,
  SILENCE_MS,
  STREAM_EVENTS,
} from "#shared/live/live-connection.ts";
import type { LiveMessage, LiveStore } from "#shared/live/live-store.ts";
import { tellSession } from "./auth-events.ts";

const NAME = "spawnpoint-live";
type TabMessage = LiveMessage | { type: "state"; state: ConnectionState } | { type: "hello" };

/** Follows the stream into the store until the returned function is called. */
export function followLiveStream(store: LiveStore): () => void {
  const ended = new AbortController();
  const tabs = "BroadcastChannel" in globalThis ? new BroadcastChannel(NAME) : null;
  let leave: (() => void) | null = null;
  let silence: ReturnType<typeof setTimeout>;

  function lead(): Promise<void> {
    return new Promise((resolve) => {
      const tell = (message: TabMessage) => tabs?.postMessage(message);
      const close = holdStream(openEventSource, store, {
        onMessage(message) {
          heard();
          tell(message);
        },
        onState: (state) => tell({ type: "state", state }),
        onSession: tellSession,
      });
      tell(store.snapshot());
      leave = () => {
        leave = null;
        close();
        resolve();
      };
      if (ended.signal.aborted) leave();
    });
  }

  function requestLead(steal: boolean) {
    const options = steal ? { steal } : { signal: ended.signal };
    navigator.locks.request(NAME, options, lead).catch(() => {
      // Ended while waiting, or another tab took over because this one had fallen silent: follow again.
      leave?.();
      if (!ended.signal.aborted) requestLead(false);
    });
  }

  /** Any word puts off the suspicion that whoever leads has gone to sleep. */
  function heard(wait = SILENCE_MS) {
    clearTimeout(silence);
    silence = setTimeout(() => {
      if (!leave && navigator.locks) requestLead(true);
    }, wait);
  }

  tabs?.addEventListener("message", ({ data }: MessageEvent<TabMessage>) => {
    if (data.type === "hello") {
      if (!leave) return;
      tabs.postMessage(store.snapshot());
      tabs.postMessage({ type: "state", state: store.state().state } satisfies TabMessage);
      return;
    }
    if (leave) return;
    heard();
    if (data.type === "state") store.setState(data.state);
    else if (!store.receive(data)) tabs.postMessage({ type: "hello" } satisfies TabMessage);
  });

  if (tabs && navigator.locks) {
    heard(JOIN_TIMEOUT_MS);
    requestLead(false);
    tabs.postMessage({ type: "hello" } satisfies TabMessage);
  } else void lead();

  return () => {
    ended.abort();
    clearTimeout(silence);
    store.setState("leaving");
    leave?.();
    tabs?.close();
    store.setState("closed");
  };
}

/** The stream as an EventSource of the browser's: it reads, and everything else is said by `holdStream`. */
const openEventSource: OpenStream = (since, told) => {
  const source = new EventSource(since === null ? "/live" : `/live?since=${since}`);
  source.onopen = told.opened;
  source.onerror = told.lost;
  for (const type of STREAM_EVENTS) source.addEventListener(type, ({ data }) => told.event(type, data));
  return () => source.close();
};
