// Holds a live stream open: reconnects after each loss, requests the whole state if something was missed, gives up silent streams.
// The caller provides the transport: an EventSource in a page, a streamed response in another program.
import type { ConnectionState } from "../connection-state.ts";
import { earlierOf, type LiveMessage, type LivePosition, type LiveStore } from "./live-store.ts";
import type { Topic } from "./live-topics.ts";

/** Pauses before reconnecting, in seconds; each is randomised by half so that browsers do not reconnect all at once. */
const RECONNECT_S = [1, 2, 5, 10];
const JOIN_TIMEOUT_MS = 10_000;
/** The stream pulses every 30 s: after two missed pulses it is dead, whatever the connection reports. */
const SILENCE_MS = 75_000;
/** Without an echo for this long, a new stream is opened with the current topics. */
const ECHO_MS = 3_000;
/** Changes within the first time are sent together, and never more often than the second. */
const TOGETHER_MS = 40;
const BETWEEN_MS = 300;

/** The stream's events by name. */
export const STREAM_EVENTS = ["welcome", "snapshot", "delta", "pulse", "shows", "session", "bye"] as const;
export type StreamEvent = (typeof STREAM_EVENTS)[number];

/** The start position, null: send the whole state; and the topics, null: everything. */
export type StreamQuery = { since: string | null; shows: string | null };

/** Opens the stream and reports its events. Returns the function that ends it. */
export type OpenStream = (
  query: StreamQuery,
  told: { opened(): void; lost(): void; event(type: StreamEvent, data: string): void },
) => () => void;

/** Changes the stream's topics (`POST /live/shows`); false: refused. */
export type SayShows = (body: {
  stream: string;
  shows: string;
  since: string | null;
  turn: number;
  /** Resend the events missed since then for all topics, and not only for those new to the stream. */
  whole: boolean;
}) => Promise<boolean>;

type Told = {
  onMessage?(message: LiveMessage): void;
  /** The stream has sent everything for the current topics. */
  onStand?(): void;
  onState?(state: ConnectionState): void;
  onSession?(signedIn: boolean): void;
};

export type HeldStream = {
  /** Makes the stream follow the store's current topics; `at`: the position of the page with the new ones. */
  follow(topics: readonly Topic[], at: LivePosition | null): void;
  close(): void;
};

/** Makes the query of a stream's address. */
export function streamQuery({ since, shows }: StreamQuery): string {
  const query = new URLSearchParams();
  if (shows !== null) query.set("shows", shows);
  if (since !== null) query.set("since", since);
  // A query may contain commas unescaped, and there are hundreds.
  const text = query.toString().replaceAll("%2C", ",");
  return text && `?${text}`;
}

/** Feeds the store until it is closed. `sayShows` null: the stream sends everything, or fixed topics. */
export function holdStream(
  openStream: OpenStream,
  store: LiveStore,
  { told, shows, sayShows }: { told: Told; shows: readonly Topic[] | null; sayShows: SayShows | null },
): HeldStream {
  let close: (() => void) | null = null;
  let losses = 0;
  let timer: ReturnType<typeof setTimeout>;
  let wholeNext = false;
  let topics = shows;
  /** The open stream: its id, the epoch of the process that holds it, the last requested topics. */
  let stream: { id: string | null; epoch: string; shown: string } | null = null;
  let turn = 0;
  let saidAt = Number.NEGATIVE_INFINITY;
  /** Events of the newest topics may still be missing: the store's position must not advance. */
  let waiting: { at: LivePosition | null } | null = null;
  /** Topics that the stream's process may think are shown; if one is shown again meanwhile, it would not send missed events. */
  let said = new Set<Topic>();
  let whole = false;
  let saying: ReturnType<typeof setTimeout> | undefined;
  let echo: ReturnType<typeof setTimeout> | undefined;

  const namesOf = () => topics && [...topics].sort().join();

  function setState(state: ConnectionState) {
    store.setState(state);
    told.onState?.(state);
  }

  function open() {
    setState("joining");
    forget();
    const shown = namesOf();
    said = new Set(topics);
    const since = wholeNext ? null : written(store.position());
    wholeNext = false;
    let ended = false;
    watch(JOIN_TIMEOUT_MS);
    const end = openStream(
      { since, shows: shown },
      {
        opened() {
          if (ended) return;
          losses = 0;
          stream = { id: null, epoch: "", shown: shown ?? "" };
          setState("joined");
          watch(SILENCE_MS);
        },
        lost: () => !ended && lost(),
        event: (type, data) => !ended && take(type, data),
      },
    );
    close = () => {
      ended = true;
      end();
    };
  }

  /** Resets the state of the earlier stream; the next one's address names all topics. */
  function forget() {
    stream = null;
    waiting = null;
    whole = false;
    clearTimeout(saying);
    clearTimeout(echo);
    saying = undefined;
    echo = undefined;
  }

  function take(type: StreamEvent, data: string) {
    if (type === "session") return told.onSession?.(JSON.parse(data).signed_in);
    // The server is about to stop: reconnect after the pause that it sends.
    if (type === "bye") return again(Number(data));
    watch(SILENCE_MS);
    if (type === "welcome") {
      const { stream: id, epoch } = JSON.parse(data);
      if (stream) stream = { ...stream, id, epoch };
      if (whole || stream?.shown !== namesOf()) saySoon();
      return;
    }
    if (type === "shows") return takeEcho(JSON.parse(data));
    const message: LiveMessage = { type, ...JSON.parse(data) };
    const known = store.position();
    // A program that receives everything receives every number: a missing one is a loss.
    if (topics === null && message.type === "delta" && (known === null || message.seq > known.seq + 1)) {
      wholeNext = true;
      return again(0);
    }
    store.receive(message);
    if (!waiting) {
      if (message.type === "snapshot")
        store.stand({ epoch: message.epoch, seq: message.seq, catalog: message.catalog });
      else if (message.type === "delta" && known) store.stand({ ...known, seq: Math.max(known.seq, message.seq) });
    }
    told.onMessage?.(message);
  }

  function takeEcho({ turn: echoed, ...at }: LivePosition & { turn: number }) {
    // If another change is about to be sent, its missed events have not arrived yet: only its echo counts.
    if (echoed !== turn || saying) return;
    clearTimeout(echo);
    echo = undefined;
    waiting = null;
    whole = false;
    said = new Set(topics);
    store.stand(at);
    told.onStand?.();
  }

  function saySoon() {
    waiting ??= { at: store.position() };
    saying ??= setTimeout(say, Math.max(TOGETHER_MS, saidAt + BETWEEN_MS - performance.now()));
  }

  function say() {
    saying = undefined;
    const shown = namesOf();
    if (!stream?.id || !sayShows || shown === null) return;
    if (shown === stream.shown && !waiting) return;
    turn += 1;
    saidAt = performance.now();
    const of = stream;
    of.shown = shown;
    for (const topic of topics ?? []) said.add(topic);
    clearTimeout(echo);
    const anew = () => stream === of && again(0);
    echo = setTimeout(anew, ECHO_MS);
    const mine = turn;
    sayShows({ stream: stream.id, shows: shown, since: written(waiting?.at ?? null), turn, whole })
      .catch(() => true)
      .then((taken) => !taken && mine === turn && anew());
  }

  /** Silence for too long is a loss. */
  function watch(ms: number) {
    clearTimeout(timer);
    timer = setTimeout(lost, ms);
  }

  function lost() {
    setState("errored");
    const seconds = RECONNECT_S[Math.min(losses, RECONNECT_S.length - 1)] ?? 10;
    losses += 1;
    again(seconds * 1000 * (0.5 + Math.random()));
  }

  function again(ms: number) {
    close?.();
    forget();
    clearTimeout(timer);
    timer = setTimeout(open, ms);
  }

  open();
  return {
    follow(next, at) {
      const before = new Set(topics);
      whole ||= next.some((topic) => !before.has(topic) && said.has(topic));
      topics = next;
      // Until the stream has sent the new topics, use the position of both.
      const both = earlierOf(waiting ? waiting.at : store.position(), at);
      store.stand(both);
      if (!stream) return;
      waiting = { at: both };
      saySoon();
    },
    close() {
      clearTimeout(timer);
      forget();
      close?.();
    },
  };
}

function written(position: LivePosition | null): string | null {
  return position && `${position.epoch}.${position.seq}.${position.catalog}`;
}
