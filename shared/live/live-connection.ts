// Keeps a live stream open: again after each loss, whole where something was missed, silent ones given up. How its bytes come
// in is the caller's: an EventSource in a page, a streamed answer in another program.
import type { ConnectionState } from "../connection-state.ts";
import { earlierOf, type LiveMessage, type LivePosition, type LiveStore } from "./live-store.ts";
import type { Topic } from "./live-topics.ts";

/** Pauses before trying again, in seconds; each is spread by half so that browsers do not come back as one. */
const RECONNECT_S = [1, 2, 5, 10];
export const JOIN_TIMEOUT_MS = 10_000;
/** The stream pulses every 30 s: after two missed pulses it is dead, whatever the connection says. */
export const SILENCE_MS = 75_000;
/** Without an echo for so long, what is shown now goes into the address of a new stream. */
const ECHO_MS = 3_000;
/** Changes of one moment are said together, and never more often than this. */
const TOGETHER_MS = 40;
const BETWEEN_MS = 300;

/** What the stream says, by its event's name. */
export const STREAM_EVENTS = ["welcome", "snapshot", "delta", "pulse", "shows", "session", "bye"] as const;
export type StreamEvent = (typeof STREAM_EVENTS)[number];

/** Where it goes on from, null: it tells everything anew; and of what it tells, null: of everything. */
export type StreamQuery = { since: string | null; shows: string | null };

/** Opens it and tells what comes. Returns the function that ends it. */
export type OpenStream = (
  query: StreamQuery,
  told: { opened(): void; lost(): void; event(type: StreamEvent, data: string): void },
) => () => void;

/** Says what is shown from now on (`POST /live/shows`); false: that was refused. */
export type SayShows = (body: {
  stream: string;
  shows: string;
  since: string | null;
  turn: number;
  /** What is missed since then is needed of all that is shown, and not of what is new to the stream alone. */
  whole: boolean;
}) => Promise<boolean>;

type Told = {
  onMessage?(message: LiveMessage): void;
  /** The stream has told all of what is shown now. */
  onStand?(): void;
  onState?(state: ConnectionState): void;
  onSession?(signedIn: boolean): void;
};

export type HeldStream = {
  /** Has the stream follow what the store shows now; `at`: where the page stands that brought what is new. */
  follow(topics: readonly Topic[], at: LivePosition | null): void;
  close(): void;
};

/** The query of a stream's address. */
export function streamQuery({ since, shows }: StreamQuery): string {
  const query = new URLSearchParams();
  if (shows !== null) query.set("shows", shows);
  if (since !== null) query.set("since", since);
  // Commas are what a query may hold, and hundreds of them.
  const text = query.toString().replaceAll("%2C", ",");
  return text && `?${text}`;
}

/** Feeds the store until it is closed. `sayShows` null: the stream tells of everything, or of the same as long as it is held. */
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
  /** Of the open stream: its name, the run of the process that holds it, what it was last asked to tell of. */
  let stream: { id: string | null; epoch: string; shown: string } | null = null;
  let turn = 0;
  let saidAt = Number.NEGATIVE_INFINITY;
  /** Of what was shown last, something may still be missing: where the store stands must not go on. */
  let waiting: { at: LivePosition | null } | null = null;
  /** What the process that holds the stream may think to be shown; of what is shown again meanwhile, it would tell nothing old. */
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

  /** Nothing of an earlier stream holds for the next, whose address says all that is shown. */
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
    // The server is about to stop: come back after the pause that it asks for.
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
    // A program that is told everything is told every number: one that is missing is a loss.
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
    // Where something else is about to be said, what was missed of that is not told yet: the echo of that word counts.
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

  /** No word for too long is a loss. */
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
      // Until the stream has told what is new, it stands where both stood.
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
