// GET /live: server-sent events of what a browser shows. The same bytes go to all that show the same; a browser that stops
// reading gets the newest state when it reads again, and is cut off if it does not.
import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Audience } from "#domain/game-servers/game-servers.ts";
import { readTopics, type Topic } from "#shared/live/live-topics.ts";
import { message } from "../messages.ts";
import { isUncountedProxy } from "../request/client-keys.ts";
import { type Asker, askerOfAccount, askerOfAddress } from "../request/fair-queue.ts";
import { createLiveChannel, type Group } from "./channel.ts";
import type { LiveHub } from "./hub.ts";
import { ANY_VISITOR, createStreamMemory, type StreamPlace, streamBytes, streamMemoryOf } from "./stream-memory.ts";
import { limitStreams, type StreamPlaces } from "./streams-of-address.ts";

const HEARTBEAT_MS = 30_000;
/** Unread bytes that a stream may pile up in this process. */
const MAX_UNREAD_BYTES = 64 * 1024;
/** How often the memory of unread bytes is counted. */
const COUNT_UNREAD_MS = 2_000;
/** An ended stream that its browser doesn't read to the end is cut after this. */
const LAST_WORD_MS = 5_000;
/** As often may a stream be told in ten seconds that it shows something else; a person turns no pages faster. */
const MOST_TURNS = 40;
const TURNS_WITHIN_MS = 10_000;
/** Of a client (`client-keys.ts`) or an account. A browser has one for all its tabs; a school has one address. */
export const MAX_STREAMS_OF_CLIENT = 500;
const RENEWED_WITHIN_MS = 1_200;
/** Longer than it takes to look a session up: whoever was found before it ended has joined, or has been refused, by then. */
const ENDED_REMEMBERED_MS = 30_000;

export type LiveStream = {
  /** Answers a request for the stream; a member's ends with the session that it was opened by. `more`: headers besides. */
  open(
    request: IncomingMessage,
    response: ServerResponse,
    member: StreamMember | null,
    more?: Record<string, string>,
  ): void;
  /**
   * Has a stream show other topics from now on. `turn` counts up with each time that its browser says so: it is echoed once all
   * that was missed of them since `since` is written, and an older one is passed over. `whole`: of all of them, and not of those
   * alone that it did not show before.
   * @returns "unknown": held by another process, or by none; "often": said too many times in a short while; "full": more than its
   * client may be told of in all
   */
  show(
    streamId: string,
    asked: { topics: Topic[]; since: string | null; turn: number; whole: boolean },
  ): "shown" | "often" | "full" | "unknown";
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

/** Whose stream it is, and the session that it ends with. */
type StreamMember = { session_id: string; user_id: string };

type Reader = {
  response: ServerResponse;
  audience: Audience;
  sessionId: string | null;
  /** The memory that it takes, with so many bytes of it that aren't read. */
  place: StreamPlace;
  unread: number;
  /** What it shows. */
  group: Group<Reader>;
  /** It named topics that aren't there: they aren't kept, so it has to come back when the catalog changes. */
  lacks: boolean;
  /** Known to its browser alone: whoever says it may change what is shown. Null: it shows everything, and goes on to. */
  id: string | null;
  /** The newest that was taken. */
  turn: number;
  turns: { since: number; count: number };
  /** It reads nothing: what it misses from now on it gets as a whole. */
  behind: boolean;
  missed: boolean;
};

/** Whose limits a stream counts against: its account's, or its address's. */
function askerOf(member: StreamMember | null, ip: string): Asker {
  if (member !== null) return askerOfAccount("members", member.user_id);
  return isUncountedProxy(ip) ? ANY_VISITOR : askerOfAddress(ip);
}

const bye = (pauseMs: number): string => `event: bye\ndata: ${pauseMs}\n\n`;

/**
 * Starts to broadcast what the hub publishes. `headers` go out with every stream. `ipOf`: the client's address. `places` limits
 * the streams of a client and its network, `bytes` the memory of all.
 */
export function startLiveStream(
  hub: LiveHub,
  headers: Record<string, string>,
  ipOf: (request: IncomingMessage) => string,
  places: StreamPlaces = limitStreams(MAX_STREAMS_OF_CLIENT),
  bytes: number = streamMemoryOf(1),
): LiveStream {
  const readers = new Set<Reader>();
  /** Sessions that ended a moment ago, each with when it may be forgotten. */
  const justEnded = new Map<string, number>();
  const byId = new Map<string, Reader>();
  const memory = createStreamMemory(bytes);
  const channels = {
    public: createLiveChannel<Reader>(hub, "public"),
    members: createLiveChannel<Reader>(hub, "members"),
  };

  function send(reader: Reader, bytes: Buffer) {
    if (reader.behind) {
      reader.missed = true;
      return;
    }
    reader.response.write(bytes);
    if (reader.response.writableLength > MAX_UNREAD_BYTES) reader.behind = true;
  }

  const unsubscribe = (["public", "members"] as const).map((audience) =>
    hub.subscribe(audience, (change) => {
      if (change.whole) {
        for (const reader of readers)
          if (reader.lacks && reader.audience === audience) sendAway(reader, RENEWED_WITHIN_MS);
      }
      for (const [group, bytes] of channels[audience].take(change)) {
        for (const reader of group.members) send(reader, bytes);
      }
    }),
  );

  /** Ends streams whose unread bytes are more than their client may have, or all together. */
  const counting = setInterval(() => {
    for (const reader of readers) {
      const unread = reader.response.writableLength;
      if (unread === reader.unread) continue;
      reader.unread = unread;
      if (!reader.place.resize(streamBytes(reader.group.topics?.length ?? 0, unread))) reader.response.destroy();
    }
  }, COUNT_UNREAD_MS);
  counting.unref();

  function remove(reader: Reader) {
    if (!readers.delete(reader)) return;
    reader.place.leave();
    if (reader.id !== null) byId.delete(reader.id);
    channels[reader.audience].leave(reader.group, reader);
  }

  /** Where the stream stands, once what was written before has all that is shown. */
  function echo({ audience, turn }: Reader): Buffer {
    const { epoch, seq, catalog } = hub.read(audience);
    return Buffer.from(`event: shows\ndata: ${JSON.stringify({ turn, epoch, seq, catalog })}\n\n`);
  }

  function mayTurn({ turns }: Reader): boolean {
    const now = performance.now();
    if (now - turns.since > TURNS_WITHIN_MS) Object.assign(turns, { since: now, count: 0 });
    turns.count += 1;
    return turns.count <= MOST_TURNS;
  }

  const pulse = setInterval(() => {
    const bytes = new Map<Group<Reader>, Buffer>();
    for (const reader of readers) {
      const { group, audience } = reader;
      // It shows the newest time of asking, and no state: nothing is missed by missing it.
      if (reader.behind) reader.response.destroy();
      else
        send(
          reader,
          bytes.getOrInsertComputed(group, () => channels[audience].pulse(group)),
        );
    }
    for (const [id, until] of justEnded) if (until <= performance.now()) justEnded.delete(id);
  }, HEARTBEAT_MS);
  pulse.unref();

  function sendAway(reader: Reader, pauseMs = Math.round(500 + Math.random() * 9_500)) {
    const { response } = reader;
    remove(reader);
    response.end(bye(pauseMs));
    const cutting = setTimeout(() => !response.writableFinished && response.destroy(), LAST_WORD_MS);
    cutting.unref();
    response.once("close", () => clearTimeout(cutting));
  }

  return {
    open(request, response, member, more = {}) {
      if (response.destroyed) return;
      const query = new URL(request.url ?? "/live", "http://localhost").searchParams;
      const shows = query.get("shows");
      const topics = shows === null ? null : readTopics(shows);
      if (shows !== null && topics === null) {
        response
          .writeHead(400, { ...headers, ...more, "Content-Type": "text/plain; charset=utf-8" })
          .end(`${message("en", "bare_too_many_topics")}\n`);
        return;
      }
      const sessionId = member?.session_id ?? null;
      const audience = member === null ? "public" : "members";
      const channel = channels[audience];
      const shown = topics?.filter(channel.knows) ?? null;
      // A browser that connects again by itself names what came last; its address still has what the page stood at.
      const since = String(request.headers["last-event-id"] ?? query.get("since") ?? "");
      // No await between this and joining: nothing can change in between.
      const missed = channel.missed(since, topics);
      const unread = missed.reduce((sum, { length }) => sum + length, 0);
      const asker = askerOf(member, ipOf(request));
      const place = memory.take(asker, streamBytes(shown?.length ?? 0, unread), () => sendAway(reader));
      const isRefused = typeof place === "string";
      if (isRefused || !(asker === ANY_VISITOR || places.take(asker, response))) {
        if (!isRefused) place.leave();
        const refusal = { "Retry-After": "10", "Content-Type": "text/plain; charset=utf-8" };
        response
          .writeHead(place === "all" ? 503 : 429, { ...headers, ...more, ...refusal })
          .end(`${message("en", "bare_too_many_streams")}\n`);
        return;
      }
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
        place.leave();
        response.end(bye(RENEWED_WITHIN_MS));
        return;
      }
      const id = topics === null ? null : randomBytes(16).toString("base64url");
      const reader = {
        response,
        audience,
        sessionId,
        place,
        unread,
        lacks: shown?.length !== topics?.length,
        id,
        turn: 0,
        turns: { since: performance.now(), count: 0 },
        behind: false,
        missed: false,
      } as Reader;
      reader.group = channel.join(shown, reader);
      const { epoch } = hub.read(audience);
      const welcome = id === null ? "" : `event: welcome\ndata: ${JSON.stringify({ stream: id, epoch })}\n\n`;
      readers.add(reader);
      if (id !== null) byId.set(id, reader);
      const first = Buffer.from(
        `: welcome\nretry: 2000\nevent: session\ndata: {"signed_in":${sessionId !== null}}\n\n${welcome}`,
      );
      send(reader, Buffer.concat([first, ...missed]));
      response.on("drain", () => {
        if (!reader.behind) return;
        reader.behind = false;
        if (!reader.missed) return;
        reader.missed = false;
        send(reader, Buffer.concat([channel.snapshot(reader.group), ...(reader.turn > 0 ? [echo(reader)] : [])]));
      });
      response.on("close", () => remove(reader));
      response.on("error", () => remove(reader));
    },
    show(streamId, { topics, since, turn, whole }) {
      const reader = byId.get(streamId);
      if (!reader) return "unknown";
      if (!mayTurn(reader)) return "often";
      // Two that were sent at once may arrive the other way round.
      if (turn <= reader.turn) return "shown";
      const channel = channels[reader.audience];
      const shown = topics.filter(channel.knows);
      if (!reader.place.resize(streamBytes(shown.length, reader.unread))) return "full";
      reader.turn = turn;
      reader.lacks = shown.length !== topics.length;
      const before = new Set(reader.group.topics);
      const added = whole ? topics : topics.filter((topic) => !before.has(topic));
      const left = reader.group;
      reader.group = channel.join(shown, reader);
      if (left !== reader.group) channel.leave(left, reader);
      const missed = added.length > 0 ? channel.missed(since, added) : [];
      send(reader, Buffer.concat([...missed, echo(reader)]));
      return "shown";
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
      for (const end of unsubscribe) end();
      places.stop();
      clearInterval(pulse);
      clearInterval(counting);
      for (const reader of readers) sendAway(reader);
    },
  };
}
