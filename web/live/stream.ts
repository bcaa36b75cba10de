// GET /live: server-sent events. The same bytes go to every browser of an audience; a browser that stops reading gets the
// newest state when it reads again, and is cut off if it does not.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Audience } from "#domain/game-servers/game-servers.ts";
import { message } from "../messages.ts";
import { createLiveChannel } from "./channel.ts";
import type { LiveHub } from "./hub.ts";
import { limitStreams, type StreamPlaces } from "./streams-of-address.ts";

const HEARTBEAT_MS = 30_000;
/** Unread bytes that a stream may pile up in this process. */
const MAX_UNREAD_BYTES = 64 * 1024;
const MAX_STREAMS = 20_000;
/** A browser has one for all its tabs; a school, a network of a mobile operator, has one address. */
export const MAX_STREAMS_OF_ADDRESS = 500;
/** Who comes from here came through a proxy that TRUST_PROXY does not count: nobody can be told from anybody. */
const LOOPBACK = /^(?:127\.|::1$)/;
const RENEWED_WITHIN_MS = 1_200;
/** Longer than it takes to look a session up: whoever was found before it ended has joined, or has been refused, by then. */
const ENDED_REMEMBERED_MS = 30_000;

export type LiveStream = {
  /** Answers a request for the stream; a member's ends with the session that it was opened by. `more`: headers besides. */
  open(
    request: IncomingMessage,
    response: ServerResponse,
    sessionId: string | null,
    more?: Record<string, string>,
  ): void;
  /** Ends the streams of sessions that ended. Their browsers come back at once and learn whether they still have one. */
  endSessions(sessionIds: Set<string>): void;
  /** Cuts the streams of those who may no longer have one, told by the request that opened it. */
  cut(whom: (request: IncomingMessage) => boolean): void;
  /** Has every member's browser come back, so that its session is looked up again. */
  renewMembers(): void;
  count(): number;
  /** Tells every browser to come back, each after its own pause of at most ten seconds, and ends the streams. */
  stop(): void;
};

/** `seq`: the newest change that was written to it. */
type Reader = { response: ServerResponse; audience: Audience; sessionId: string | null; behind: boolean; seq: number };

const bye = (pauseMs: number): string => `event: bye\ndata: ${pauseMs}\n\n`;

/**
 * Starts to broadcast what the hub publishes. `headers` go out with every stream. `ipOf`: who asks, so that one address
 * cannot hold all the streams that there are; `places` are those of an address.
 */
export function startLiveStream(
  hub: LiveHub,
  headers: Record<string, string>,
  ipOf: (request: IncomingMessage) => string,
  places: StreamPlaces = limitStreams(MAX_STREAMS_OF_ADDRESS),
): LiveStream {
  const readers = new Set<Reader>();
  /** Sessions that ended a moment ago, each with when it may be forgotten. */
  const justEnded = new Map<string, number>();
  const channels = { public: createLiveChannel(hub, "public"), members: createLiveChannel(hub, "members") };

  function send(reader: Reader, bytes: Buffer, seq: number) {
    if (reader.behind) return;
    reader.response.write(bytes);
    reader.seq = seq;
    if (reader.response.writableLength > MAX_UNREAD_BYTES) reader.behind = true;
  }

  const unsubscribe = hub.subscribe((change) => {
    const bytes = { public: channels.public.take(change), members: channels.members.take(change) };
    for (const reader of readers) send(reader, bytes[reader.audience], change.seq);
  });

  const pulse = setInterval(() => {
    const bytes = { public: channels.public.pulse(), members: channels.members.pulse() };
    for (const reader of readers) {
      if (reader.behind) reader.response.destroy();
      else send(reader, bytes[reader.audience], reader.seq);
    }
    for (const [id, until] of justEnded) if (until <= performance.now()) justEnded.delete(id);
  }, HEARTBEAT_MS);
  pulse.unref();

  function sendAway(reader: Reader, pauseMs = Math.round(500 + Math.random() * 9_500)) {
    readers.delete(reader);
    reader.response.end(bye(pauseMs));
  }

  const currentSeq = () => hub.read("public").seq;

  return {
    open(request, response, sessionId, more = {}) {
      if (response.destroyed) return;
      const ip = ipOf(request);
      const full = readers.size >= MAX_STREAMS;
      if (full || !(LOOPBACK.test(ip) || places.take(ip, response))) {
        const refusal = { "Retry-After": "10", "Content-Type": "text/plain; charset=utf-8" };
        response
          .writeHead(full ? 503 : 429, { ...headers, ...more, ...refusal })
          .end(`${message("en", "bare_too_many_streams")}\n`);
        return;
      }
      const since = new URL(request.url ?? "/live", "http://localhost").searchParams.get("since");
      response.writeHead(200, {
        ...headers,
        ...more,
        "Content-Type": "text/event-stream; charset=utf-8",
        "Cache-Control": "no-store",
        // nginx would hold the events back otherwise.
        "X-Accel-Buffering": "no",
      });
      request.socket.setNoDelay(true);
      request.socket.setKeepAlive(true, HEARTBEAT_MS);
      if (sessionId !== null && justEnded.has(sessionId)) {
        response.end(bye(RENEWED_WITHIN_MS));
        return;
      }
      const audience = sessionId === null ? "public" : "members";
      const reader: Reader = { response, audience, sessionId, behind: false, seq: currentSeq() };
      // No await between reading and joining: nothing can change in between.
      response.write(
        Buffer.concat([
          Buffer.from(`: welcome\nretry: 2000\nevent: session\ndata: {"signed_in":${sessionId !== null}}\n\n`),
          ...channels[audience].missed(since),
        ]),
      );
      readers.add(reader);
      response.on("drain", () => {
        if (!reader.behind) return;
        reader.behind = false;
        if (reader.seq !== currentSeq()) send(reader, channels[audience].snapshot(), currentSeq());
      });
      response.on("close", () => readers.delete(reader));
      response.on("error", () => readers.delete(reader));
    },
    endSessions(sessionIds) {
      for (const id of sessionIds) justEnded.set(id, performance.now() + ENDED_REMEMBERED_MS);
      for (const reader of readers) {
        if (reader.sessionId === null || !sessionIds.has(reader.sessionId)) continue;
        // A session that was only renewed has its new cookie by then.
        sendAway(reader, RENEWED_WITHIN_MS);
      }
    },
    cut(whom) {
      for (const reader of readers) if (whom(reader.response.req)) sendAway(reader);
    },
    renewMembers() {
      for (const reader of readers) if (reader.sessionId !== null) sendAway(reader);
    },
    count: () => readers.size,
    stop() {
      unsubscribe();
      places.stop();
      clearInterval(pulse);
      for (const reader of readers) sendAway(reader);
    },
  };
}
