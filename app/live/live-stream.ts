// The browser's end of the live stream: one connection for all tabs of a browser, held by whichever tab has the lock; the
// others are told over a BroadcastChannel. Where the browser has no locks, each tab has its own.
import { tellSession } from "./auth-events.ts";
import type { ConnectionState, LiveMessage, LiveStore } from "./live-store.ts";

const NAME = "spawnpoint-live";
/** Pauses before trying again, in seconds; each is spread by half so that browsers do not come back as one. */
const RECONNECT_S = [1, 2, 5, 10];
const JOIN_TIMEOUT_MS = 10_000;
/** The stream pulses every 30 s: after two missed pulses it is dead, whatever the connection says. */
const SILENCE_MS = 75_000;

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
      const close = connect(
        store,
        (message) => {
          heard();
          tell(message);
        },
        (state) => {
          store.setState(state);
          tell({ type: "state", state });
        },
      );
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

/** Holds one EventSource open, again after each loss. Returns the function that ends it. */
function connect(
  store: LiveStore,
  onMessage: (message: LiveMessage) => void,
  onState: (state: ConnectionState) => void,
): () => void {
  let source: EventSource | null = null;
  let losses = 0;
  let timer: ReturnType<typeof setTimeout>;
  let wholeNext = false;

  function open() {
    onState("joining");
    const { epoch, seq, catalog } = store.position();
    source = new EventSource(wholeNext ? "/live" : `/live?since=${epoch}.${seq}.${catalog}`);
    wholeNext = false;
    watch(JOIN_TIMEOUT_MS);
    source.onopen = () => {
      losses = 0;
      onState("joined");
      watch(SILENCE_MS);
    };
    source.onerror = lost;
    for (const type of ["snapshot", "delta", "pulse"])
      source.addEventListener(type, (event) => take(JSON.parse(event.data)));
    source.addEventListener("session", (event) => tellSession(JSON.parse(event.data).signed_in));
    // The server is about to stop: come back after the pause that it asks for.
    source.addEventListener("bye", (event) => again(Number(event.data)));
  }

  function take(message: LiveMessage) {
    watch(SILENCE_MS);
    if (store.receive(message)) return onMessage(message);
    wholeNext = true;
    again(0);
  }

  /** No word for too long is a loss. */
  function watch(ms: number) {
    clearTimeout(timer);
    timer = setTimeout(lost, ms);
  }

  function lost() {
    onState("errored");
    const seconds = RECONNECT_S[Math.min(losses, RECONNECT_S.length - 1)] ?? 10;
    losses += 1;
    again(seconds * 1000 * (0.5 + Math.random()));
  }

  function again(ms: number) {
    source?.close();
    clearTimeout(timer);
    timer = setTimeout(open, ms);
  }

  open();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}
