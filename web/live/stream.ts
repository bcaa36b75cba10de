// GET /live: server-sent events of what a browser shows. The same bytes go to all that show the same; a browser that stops
// reading gets the newest state when it reads again, and is cut off if it does not.
import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Audience } from "#domain/game-servers/game-servers.ts";
import { readTopics, type Topic } from "#shared/live/live-topics.ts";
import { message } from "../messages.ts";
import { isUncountedProxy, limitedAddress } from "../request/visit.ts";
import { createLiveChannel, type Group } from "./channel.ts";
import type { LiveHub } from "./hub.ts";
import { limitStreams, type StreamPlaces } from "./streams-of-address.ts";

const HEARTBEAT_MS = 30_000;
/** Unread bytes that a stream may pile up in this process. */
const MAX_UNREAD_BYTES = 64 * 1024;
const MAX_STREAMS = 50_000;
/** Topics of all that show something different, together: some hundred megabytes where everybody does. */
const MAX_SHOWN = 2_000_000;
/** Of these, what one address may have in all its streams: a hundred of the largest, or all it may hold of a page of a hundred rows. */
export const MOST_TOPICS_OF_ADDRESS = 60_000;
/** As often may a stream be told in ten seconds that it shows something else; a person turns no pages faster. */
const MOST_TURNS = 40;
const TURNS_WITHIN_MS = 10_000;
/** A browser has one for all its tabs; a school, a network of a mobile operator, has one address. */
export const MAX_STREAMS_OF_ADDRESS = 500;
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
  /**
   * Has a stream show other topics from now on. `turn` counts up with each time that its browser says so: it is echoed once all
   * that was missed of them since `since` is written, and an older one is passed over. `whole`: of all of them, and not of those
   * alone that it did not show before.
   * @returns "unknown": held by another process, or by none; "often": said too many times in a short while; "full": more than its
   * address may be told of in all
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

type Reader = {
  response: ServerResponse;
  audience: Audience;
  sessionId: string | null;
  /** Where it came from, as its topics are counted; null: nobody can be told from anybody there. */
  address: string | null;
  /** What it shows. */
  group: Group<Reader>;
  /** Known to its browser alone: whoever says it may change what is shown. Null: it shows everything, and goes on to. */
  id: string | null;
  /** The newest that was taken. */
  turn: number;
  turns: { since: number; count: number };
  /** It reads nothing: what it misses from now on it gets as a whole. */
  behind: boolean;
  missed: boolean;
};

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
  const byId = new Map<string, Reader>();
  const topicsOfAddress = new Map<string, number>();
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
      for (const [group, bytes] of channels[audience].take(change)) {
        for (const reader of group.members) send(reader, bytes);
      }
    }),
  );

  /** Counts so many topics more (or fewer) for an address. False, and nothing is counted: it may not have as many. */
  function countTopics(address: string | null, more: number): boolean {
    if (address === null || more === 0) return true;
    const count = (topicsOfAddress.get(address) ?? 0) + more;
    if (more > 0 && count > MOST_TOPICS_OF_ADDRESS) return false;
    if (count > 0) topicsOfAddress.set(address, count);
    else topicsOfAddress.delete(address);
    return true;
  }

  function remove(reader: Reader) {
    if (!readers.delete(reader)) return;
    countTopics(reader.address, -(reader.group.topics?.length ?? 0));
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
    remove(reader);
    reader.response.end(bye(pauseMs));
  }

  return {
    open(request, response, sessionId, more = {}) {
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
      const ip = ipOf(request);
      const full = readers.size >= MAX_STREAMS || channels.public.shown() + channels.members.shown() >= MAX_SHOWN;
      const address = isUncountedProxy(ip) ? null : limitedAddress(ip);
      const fits = !full && countTopics(address, topics?.length ?? 0);
      if (!fits || !(address === null || places.take(ip, response))) {
        if (fits) countTopics(address, -(topics?.length ?? 0));
        const refusal = { "Retry-After": "10", "Content-Type": "text/plain; charset=utf-8" };
        response
          .writeHead(full ? 503 : 429, { ...headers, ...more, ...refusal })
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
        countTopics(address, -(topics?.length ?? 0));
        response.end(bye(RENEWED_WITHIN_MS));
        return;
      }
      const audience = sessionId === null ? "public" : "members";
      const channel = channels[audience];
      const id = topics === null ? null : randomBytes(16).toString("base64url");
      const reader = {
        response,
        audience,
        sessionId,
        address,
        id,
        turn: 0,
        turns: { since: performance.now(), count: 0 },
        behind: false,
        missed: false,
      } as Reader;
      reader.group = channel.join(topics, reader);
      // A browser that connects again by itself names what came last; its address still has what the page stood at.
      const since = String(request.headers["last-event-id"] ?? query.get("since") ?? "");
      const { epoch } = hub.read(audience);
      const welcome = id === null ? "" : `event: welcome\ndata: ${JSON.stringify({ stream: id, epoch })}\n\n`;
      readers.add(reader);
      if (id !== null) byId.set(id, reader);
      // No await between reading and joining: nothing can change in between.
      const first = Buffer.from(
        `: welcome\nretry: 2000\nevent: session\ndata: {"signed_in":${sessionId !== null}}\n\n${welcome}`,
      );
      send(reader, Buffer.concat([first, ...channel.missed(since, topics)]));
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
      if (!countTopics(reader.address, topics.length - (reader.group.topics?.length ?? 0))) return "full";
      reader.turn = turn;
      const channel = channels[reader.audience];
      const before = new Set(reader.group.topics);
      const added = whole ? topics : topics.filter((topic) => !before.has(topic));
      const left = reader.group;
      reader.group = channel.join(topics, reader);
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
      for (const reader of readers) sendAway(reader);
    },
  };
}
