// Serves GET /live: server-sent events of what a browser shows. Clients with the same topics get the same bytes; a browser that
// stops reading gets the newest state when it resumes, and is disconnected if it does not.
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
/** The limit of unread bytes that this process buffers for a stream. */
const MAX_UNREAD_BYTES = 64 * 1024;
/** How often the memory of unread bytes is counted. */
const COUNT_UNREAD_MS = 2_000;
/** An ended stream that its browser doesn't read to the end is cut after this. */
const LAST_WORD_MS = 5_000;
/** How often a stream may change its topics in ten seconds; people turn no pages faster. */
const MOST_TURNS = 40;
const TURNS_WITHIN_MS = 10_000;
/** Per client (`client-keys.ts`) or account. A browser has one for all its tabs; a school has one address. */
export const MAX_STREAMS_OF_CLIENT = 500;
const RENEWED_WITHIN_MS = 1_200;
/** Longer than a session lookup: clients found before the session's end have joined, or been refused, by then. */
const ENDED_REMEMBERED_MS = 30_000;

export type LiveStream = {
  /** Opens the stream for a request; a member's ends with its session. `more`: additional headers. */
  open(
    request: IncomingMessage,
    response: ServerResponse,
    member: StreamMember | null,
    more?: Record<string, string>,
  ): void;
  /**
   * Changes a stream's topics. `turn` counts up with each change by its browser: it is echoed once the events missed since
   * `since` are written, and an older one is ignored. `whole`: resend all topics, not only the added ones.
   * @returns "unknown": held by another process, or by none; "often": too many changes in a short time; "full": more than its
   * client may have in total
   */
  show(
    streamId: string,
    asked: { topics: Topic[]; since: string | null; turn: number; whole: boolean },
  ): "shown" | "often" | "full" | "unknown";
  /** Ends the streams of ended sessions. Their browsers reconnect at once and learn whether they still have one. */
  endSessions(sessionIds: Set<string>): void;
  /** Cuts streams that are no longer permitted, chosen by the request that opened them. */
  cut(whom: (request: IncomingMessage) => boolean): void;
  /** Makes every member's browser reconnect, so that its session is looked up again. */
  renewMembers(): void;
  count(): number;
  /** Makes every browser reconnect, each after a random pause of at most ten seconds, and ends the streams. */
  stop(): void;
};

/** The stream's member, and the session that it ends with. */
type StreamMember = { session_id: string; user_id: string };

type Reader = {
  response: ServerResponse;
  audience: Audience;
  sessionId: string | null;
  /** Its memory, including this many unread bytes. */
  place: StreamPlace;
  unread: number;
  /** The group of its topics. */
  group: Group<Reader>;
  /** It named unknown topics: these aren't stored, so it has to reconnect when the catalog changes. */
  lacks: boolean;
  /** Known only to its browser: proves the right to change topics. Null: it always shows everything. */
  id: string | null;
  /** The last change applied. */
  turn: number;
  turns: { since: number; count: number };
  /** The client isn't reading: it will get missed events as a whole state. */
  behind: boolean;
  missed: boolean;
};

/** Finds whose limits a stream counts against: its account's, or its address's. */
function askerOf(member: StreamMember | null, ip: string): Asker {
  if (member !== null) return askerOfAccount("members", member.user_id);
  return isUncountedProxy(ip) ? ANY_VISITOR : askerOfAddress(ip);
}

const bye = (pauseMs: number): string => `event: bye\ndata: ${pauseMs}\n\n`;

/**
 * Starts to broadcast the hub's changes. `headers` are sent with every stream. `ipOf`: the client's address. `places` limits the
 * streams of a client and its network, `bytes` the memory of all.
 */
export function startLiveStream(
  hub: LiveHub,
  headers: Record<string, string>,
  ipOf: (request: IncomingMessage) => string,
  places: StreamPlaces = limitStreams(MAX_STREAMS_OF_CLIENT),
  bytes: number = streamMemoryOf(1),
): LiveStream {
  const readers = new Set<Reader>();
  /** Recently ended sessions, each with the time when it may be forgotten. */
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

  /** Ends streams with more unread bytes than their client, or all together, may have. */
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

  /** The stream's position, once all events of its topics are written. */
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
      // A pulse shows the newest poll times, and no state: nothing depends on it.
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

  let isStopped = false;
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
      // A browser that reconnects by itself sends its last event id; its address still has the page's position.
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
        // Prevents nginx from buffering the events.
        "X-Accel-Buffering": "no",
      });
      request.socket.setNoDelay(true);
      request.socket.setKeepAlive(true, HEARTBEAT_MS);
      if (isStopped || (sessionId !== null && justEnded.has(sessionId))) {
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
      // Two requests sent at once may arrive in reverse order.
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
      isStopped = true;
      for (const end of unsubscribe) end();
      places.stop();
      clearInterval(pulse);
      clearInterval(counting);
      for (const reader of readers) sendAway(reader);
    },
  };
}
