// The live stream for programs: the same rows, states and delays as on the site's own pages, read from `GET /live`.
import type { ConnectionState } from "#shared/connection-state.ts";
import { holdStream, type OpenStream, STREAM_EVENTS, type StreamEvent } from "#shared/live/live-connection.ts";
import { createLiveStore } from "#shared/live/live-store.ts";
import type { LiveRow } from "./operations.ts";
import type { Fetch } from "./request.ts";

export type LiveListener = {
  /** All rows, whenever one of them changed. */
  onChange?(rows: LiveRow[]): void;
  onState?(state: ConnectionState): void;
};

export type Live = {
  /** Follows all game servers until the returned function is called. */
  follow(listener: LiveListener): () => void;
};

/** Makes `client.live`. `token`: members see more. */
export function createLive(url: string, parts: { fetch: Fetch; token: () => Promise<string | null> }): Live {
  const openStream: OpenStream = (since, told) => {
    const ended = new AbortController();
    void (async () => {
      try {
        const token = await parts.token();
        const headers: Record<string, string> = { Accept: "text/event-stream" };
        if (token) headers.Authorization = `Bearer ${token}`;
        const query = since === null ? "" : `?since=${encodeURIComponent(since)}`;
        const response = await parts.fetch(`${url}/live${query}`, { headers, signal: ended.signal });
        if (!response.ok || !response.body) throw new Error(`The site answered ${response.status}.`);
        told.opened();
        await readEvents(response.body, told.event);
        told.lost();
      } catch {
        if (!ended.signal.aborted) told.lost();
      }
    })();
    return () => ended.abort();
  };

  return {
    follow({ onChange, onState }) {
      const store = createLiveStore({
        epoch: "",
        seq: 0,
        catalog: "",
        rows: [],
        asked: {},
        totals: {},
        delayed_since: null,
        rendered_at: new Date().toISOString(),
      });
      let shown = store.rows();
      const unsubscribe = store.subscribe(() => {
        if (store.rows() === shown) return;
        shown = store.rows();
        onChange?.(shown);
      });
      const close = holdStream(openStream, store, { ...(onState ? { onState } : {}) });
      return () => {
        onState?.("leaving");
        unsubscribe();
        close();
        onState?.("closed");
      };
    },
  };
}

/** Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html), as far as the stream uses them. */
async function readEvents(body: ReadableStream<Uint8Array>, onEvent: (type: StreamEvent, data: string) => void) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let unread = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    unread += decoder.decode(value, { stream: true });
    const events = unread.split("\n\n");
    unread = events.pop() ?? "";
    for (const event of events) {
      const lines = event.split("\n");
      const field = (name: string) =>
        lines.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2));
      const type = STREAM_EVENTS.find((one) => one === field("event")[0]);
      if (type) onEvent(type, field("data").join("\n"));
    }
  }
}
