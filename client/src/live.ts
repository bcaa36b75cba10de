// The live stream for programs: the same rows, states and delays as on the site's own pages, read from `GET /live`.
import type { ConnectionState } from "#shared/connection-state.ts";
import {
  holdStream,
  type OpenStream,
  STREAM_EVENTS,
  type StreamEvent,
  streamQuery,
} from "#shared/live/live-connection.ts";
import { EMPTY_LIVE_PAGE } from "#shared/live/live-page.ts";
import { createLiveStore } from "#shared/live/live-store.ts";
import { readTopics, topicsOf } from "#shared/live/live-topics.ts";
import type { Shows, Totals } from "#shared/live/shown-figures.ts";
import type { LiveRow } from "./operations.ts";
import type { Fetch } from "./request.ts";

export type LiveListener = {
  /** All rows that are followed, whenever one of them changed. */
  onChange?(rows: LiveRow[]): void;
  /** The totals that are followed, whenever one of them changed; those of games by their ids. */
  onTotals?(totals: { site?: Totals; games: Record<number, Totals> }): void;
  onState?(state: ConnectionState): void;
};

export type Live = {
  /**
   * Follows game servers until the returned function is called: all, or what `shows` names (at most 600: the ids of game
   * servers, those of games whose totals are followed, and whether the totals of the site are). Throws where that is too much.
   */
  follow(listener: LiveListener, shows?: Shows): () => void;
};

/** Makes `client.live`. `token`: members see more. */
export function createLive(url: string, parts: { fetch: Fetch; token: () => Promise<string | null> }): Live {
  const openStream: OpenStream = (query, told) => {
    const ended = new AbortController();
    void (async () => {
      try {
        const token = await parts.token();
        const headers: Record<string, string> = { Accept: "text/event-stream" };
        if (token) headers.Authorization = `Bearer ${token}`;
        const response = await parts.fetch(`${url}/live${streamQuery(query)}`, { headers, signal: ended.signal });
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
    follow({ onChange, onTotals, onState }, shows) {
      const topics = shows ? readTopics(topicsOf(shows).join()) : null;
      if (shows && !topics) throw new RangeError("One stream tells of at most 600 game servers and totals.");
      const store = createLiveStore(EMPTY_LIVE_PAGE, { everything: true });
      let rows = store.rows();
      let told = "";
      const unsubscribe = store.subscribe(() => {
        if (onTotals) {
          const totals = store.allTotals();
          const text = JSON.stringify(totals);
          if (text !== told) onTotals(totals);
          told = text;
        }
        if (store.rows() === rows) return;
        rows = store.rows();
        onChange?.(rows);
      });
      const stream = holdStream(openStream, store, {
        told: { ...(onState ? { onState } : {}) },
        shows: topics,
        sayShows: null,
      });
      return () => {
        onState?.("leaving");
        unsubscribe();
        stream.close();
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
