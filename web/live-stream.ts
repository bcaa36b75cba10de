// GET /live: server-sent events. Each change is encoded once and the same bytes go to every browser; a browser that stops
// reading gets the newest state when it reads again, and is cut off if it does not.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { LiveChange, LiveHub } from "./live-hub.ts";

const HEARTBEAT_MS = 30_000;
/** Unread bytes that a stream may pile up in this process. */
const MAX_UNREAD_BYTES = 64 * 1024;
const MAX_STREAMS = 20_000;
/** Changes kept for browsers whose page or last event is a little older. */
const KEPT_CHANGES = 256;
const MAX_KEPT_BYTES = 1024 * 1024;

export type LiveStream = {
  /** Answers a request for the stream. */
  open(request: IncomingMessage, response: ServerResponse): void;
  count(): number;
  /** Tells every browser to come back, each after its own pause of at most ten seconds, and ends the streams. */
  stop(): void;
};

/** `seq`: the newest change that was written to it. */
type Reader = { response: ServerResponse; behind: boolean; seq: number };

/** Starts to broadcast what the hub publishes. `headers` go out with every stream. */
export function startLiveStream(hub: LiveHub, headers: Record<string, string>): LiveStream {
  const readers = new Set<Reader>();
  const kept: { seq: number; bytes: Buffer; whole: boolean }[] = [];
  let keptBytes = 0;
  let encodedSnapshot: { seq: number; bytes: Buffer } | null = null;

  function encodeEvent(type: string, seq: number | null, data: object): Buffer {
    const id = seq === null ? "" : `id: ${hub.read().epoch}.${seq}\n`;
    return Buffer.from(`event: ${type}\n${id}data: ${JSON.stringify({ type, ...data })}\n\n`);
  }

  function asked() {
    return Object.fromEntries([...hub.read().asked].map(([id, { at }]) => [id, at]));
  }

  function snapshot(): Buffer {
    const site = hub.read();
    if (encodedSnapshot?.seq !== site.seq) {
      const { epoch, seq, catalog, live, delayed_since } = site;
      encodedSnapshot = {
        seq,
        bytes: encodeEvent("snapshot", seq, { epoch, seq, catalog, rows: live, asked: asked(), delayed_since }),
      };
    }
    return encodedSnapshot.bytes;
  }

  function send(reader: Reader, bytes: Buffer) {
    if (reader.behind) return;
    reader.response.write(bytes);
    reader.seq = hub.read().seq;
    if (reader.response.writableLength > MAX_UNREAD_BYTES) reader.behind = true;
  }

  function broadcast(bytes: Buffer) {
    for (const reader of readers) send(reader, bytes);
  }

  const unsubscribe = hub.subscribe((change: LiveChange) => {
    const bytes = change.whole
      ? snapshot()
      : encodeEvent("delta", change.seq, { epoch: hub.read().epoch, seq: change.seq, rows: change.rows });
    kept.push({ seq: change.seq, bytes, whole: change.whole });
    keptBytes += bytes.length;
    while (kept.length > KEPT_CHANGES || (keptBytes > MAX_KEPT_BYTES && kept.length > 1))
      keptBytes -= kept.shift()?.bytes.length ?? 0;
    broadcast(bytes);
  });

  const pulse = setInterval(() => {
    for (const reader of readers) if (reader.behind) reader.response.destroy();
    broadcast(Buffer.concat([Buffer.from(": heartbeat\n\n"), encodeEvent("pulse", null, { asked: asked() })]));
  }, HEARTBEAT_MS);
  pulse.unref();

  /** What a browser at `since` still needs; the whole state when that cannot be told. */
  function missed(since: string | null): Buffer[] {
    const site = hub.read();
    const [epoch, number] = since?.split(".") ?? [];
    const seq = Number(number);
    if (epoch !== site.epoch || !Number.isInteger(seq) || seq > site.seq) return [snapshot()];
    if (seq === site.seq) return [];
    const after = kept.filter((change) => change.seq > seq);
    if (after[0]?.seq !== seq + 1 || after.some((change) => change.whole)) return [snapshot()];
    return after.map((change) => change.bytes);
  }

  return {
    open(request, response) {
      if (readers.size >= MAX_STREAMS) {
        response
          .writeHead(503, { ...headers, "Retry-After": "10", "Content-Type": "text/plain; charset=utf-8" })
          .end("Too many live connections. Please try again.\n");
        return;
      }
      const url = new URL(request.url ?? "/live", "http://localhost");
      const since = (request.headers["last-event-id"] as string | undefined) ?? url.searchParams.get("since");
      response.writeHead(200, {
        ...headers,
        "Content-Type": "text/event-stream; charset=utf-8",
        "Cache-Control": "no-store",
        // nginx would hold the events back otherwise.
        "X-Accel-Buffering": "no",
      });
      request.socket.setNoDelay(true);
      request.socket.setKeepAlive(true, HEARTBEAT_MS);
      const reader: Reader = { response, behind: false, seq: hub.read().seq };
      // No await between reading and joining: nothing can change in between.
      response.write(Buffer.concat([Buffer.from(": welcome\nretry: 2000\n\n"), ...missed(since)]));
      readers.add(reader);
      response.on("drain", () => {
        if (!reader.behind) return;
        reader.behind = false;
        if (reader.seq !== hub.read().seq) send(reader, snapshot());
      });
      response.on("close", () => readers.delete(reader));
      response.on("error", () => readers.delete(reader));
    },
    count: () => readers.size,
    stop() {
      unsubscribe();
      clearInterval(pulse);
      for (const reader of readers) {
        reader.response.end(`event: bye\ndata: ${Math.round(500 + Math.random() * 9_500)}\n\n`);
      }
    },
  };
}
