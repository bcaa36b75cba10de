// Keeps a live stream open: again after each loss, whole where something was missed, silent ones given up. How its bytes come
// in is the caller's: an EventSource in a page, a streamed answer in another program.
import type { ConnectionState } from "../connection-state.ts";
import type { LiveMessage, LiveStore } from "./live-store.ts";

/** Pauses before trying again, in seconds; each is spread by half so that browsers do not come back as one. */
const RECONNECT_S = [1, 2, 5, 10];
export const JOIN_TIMEOUT_MS = 10_000;
/** The stream pulses every 30 s: after two missed pulses it is dead, whatever the connection says. */
export const SILENCE_MS = 75_000;

/** What the stream says, by its event's name. */
export const STREAM_EVENTS = ["snapshot", "delta", "pulse", "session", "bye"] as const;
export type StreamEvent = (typeof STREAM_EVENTS)[number];

/** Opens it from a position on, null: with everything, and tells what comes. Returns the function that ends it. */
export type OpenStream = (
  since: string | null,
  told: { opened(): void; lost(): void; event(type: StreamEvent, data: string): void },
) => () => void;

/** Feeds the store until the returned function is called. */
export function holdStream(
  openStream: OpenStream,
  store: LiveStore,
  told: {
    onMessage?(message: LiveMessage): void;
    onState?(state: ConnectionState): void;
    onSession?(signedIn: boolean): void;
  },
): () => void {
  let close: (() => void) | null = null;
  let losses = 0;
  let timer: ReturnType<typeof setTimeout>;
  let wholeNext = false;

  function setState(state: ConnectionState) {
    store.setState(state);
    told.onState?.(state);
  }

  function open() {
    setState("joining");
    const { epoch, seq, catalog } = store.position();
    const since = wholeNext || epoch === "" ? null : `${epoch}.${seq}.${catalog}`;
    wholeNext = false;
    let ended = false;
    watch(JOIN_TIMEOUT_MS);
    const end = openStream(since, {
      opened() {
        if (ended) return;
        losses = 0;
        setState("joined");
        watch(SILENCE_MS);
      },
      lost: () => !ended && lost(),
      event: (type, data) => !ended && take(type, data),
    });
    close = () => {
      ended = true;
      end();
    };
  }

  function take(type: StreamEvent, data: string) {
    if (type === "session") return told.onSession?.(JSON.parse(data).signed_in);
    // The server is about to stop: come back after the pause that it asks for.
    if (type === "bye") return again(Number(data));
    watch(SILENCE_MS);
    const message: LiveMessage = JSON.parse(data);
    if (store.receive(message)) return told.onMessage?.(message);
    wholeNext = true;
    again(0);
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
    clearTimeout(timer);
    timer = setTimeout(open, ms);
  }

  open();
  return () => {
    clearTimeout(timer);
    close?.();
  };
}
