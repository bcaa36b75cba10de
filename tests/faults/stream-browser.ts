/** Browsers on the live stream, by the very code that runs in pages; only the EventSource under it is ours. */
import http from "node:http";
import { UNSAFE_decodeViaTurboStream as decodeViaTurboStream } from "react-router";
import { EMPTY_LIVE_PAGE, type LivePage } from "#shared/live/live-page.ts";
import { createLiveStore, type LiveStore } from "#shared/live/live-store.ts";
import { followLiveStream } from "../../app/live/live-stream.ts";

type Listener = (event: { data: string }) => void;

/** As much of https://html.spec.whatwg.org/multipage/server-sent-events.html as pages use. */
class StreamSource {
  static base = "";
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;
  #listeners = new Map<string, Listener>();
  #request: http.ClientRequest;
  #closed = false;

  constructor(path: string) {
    this.#request = http.get(StreamSource.base + path, { agent: false }, (response) => {
      if (response.statusCode !== 200) return this.#fail();
      this.onopen?.();
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        const events = (text + part).split("\n\n");
        text = events.pop() ?? "";
        for (const event of events) if (!this.#closed) this.#tell(event);
      });
      response.on("error", () => this.#fail()).on("close", () => this.#fail());
    });
    this.#request.on("error", () => this.#fail());
  }

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.set(type, listener);
  }

  close(): void {
    this.#closed = true;
    this.#request.destroy();
  }

  #tell(event: string) {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(event)?.[1];
    this.#listeners.get(field("event") ?? "message")?.({ data: field("data") ?? "" });
  }

  #fail() {
    if (this.#closed) return;
    this.#closed = true;
    this.onerror?.();
  }
}

/** The live figures of a page, as a browser fetches it that follows a link. */
export async function fetchLivePage(base: string, path: string): Promise<LivePage> {
  const { body, status } = await fetch(`${base}${path}.data`);
  if (!body || status !== 200) throw new Error(`${path} answered ${status}`);
  const { value } = await decodeViaTurboStream(body, globalThis);
  const found = Object.values(value as Record<string, { data?: { live?: LivePage } }>).flatMap(
    ({ data }) => data?.live ?? [],
  );
  return found.at(-1) ?? EMPTY_LIVE_PAGE;
}

export type StreamBrowser = { store: LiveStore; goTo(page: LivePage): void; leave(): void };

/**
 * Makes this process a place where pages run: each call of the returned function is a browser of its own on the site at
 * `base`, without tabs that share, which starts with what its page carries.
 */
export function openStreams(base: string): (page?: LivePage) => StreamBrowser {
  StreamSource.base = base;
  const target = globalThis as Record<string, unknown>;
  target.EventSource = StreamSource;
  target.window = new EventTarget();
  const ofNode = globalThis.fetch;
  target.fetch = (address: string, init?: RequestInit) =>
    ofNode(address.startsWith("/") ? StreamSource.base + address : address, init);
  return (page = EMPTY_LIVE_PAGE) => {
    const store = createLiveStore(page);
    const { showAgain, leave } = followLiveStream(store, null);
    return {
      store,
      goTo(next) {
        store.show(next);
        showAgain();
      },
      leave,
    };
  };
}
