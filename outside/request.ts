/**
 * Sends the site's outgoing HTTP requests: to a checked address, within limits of time and bytes. Follows no redirect, decompresses
 * nothing and stores no cookie.
 */
import type { IncomingHttpHeaders } from "node:http";
import { isIP, connect as openTcp, type Socket } from "node:net";
import { connect as openTls } from "node:tls";
import { Agent, buildConnector, type Dispatcher } from "undici";

/** Why a host has no address to connect to. */
type NoAddress = "dns" | "blocked";

/**
 * Where requests may go. Pass the same object again to reuse connections (`keepAliveMs`); without it each request opens its own.
 * - `find`: resolves and checks a host once; the connection goes to that address. Absent: wherever the system resolves it to
 * - `ca`: certificate authorities besides the known ones (PEM)
 * - `anyCertificate`: the server's certificate proves nothing and isn't checked
 */
export type Allow = {
  find?(place: Place): Promise<{ ok: true; address: string; port?: number } | { ok: false; failure: NoAddress }>;
  ca?: string | undefined;
  anyCertificate?: boolean;
  keepAliveMs?: number;
};

/** `host`: a name or an address without brackets. */
export type Place = { host: string; port: number; encrypted: boolean };

/** For addresses that the operator set: any that the system resolves. */
export const ANYWHERE: Allow = { keepAliveMs: 4_000 };

/**
 * A response whose head arrived. `end`: how the body ended; `too_large`: cut at `maxBytes`. `latencyMs`: from sending to the head,
 * without connecting.
 */
export type Answer = {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  end: "whole" | "too_large" | "timeout" | "broken";
  latencyMs: number;
};

export type RequestFailure = NoAddress | "refused" | "certificate" | "timeout" | "broken";

/** No head of a response arrived. */
export class RequestError extends Error {
  override name = "RequestError";
  readonly failure: RequestFailure;
  readonly progress: Progress;
  constructor(failure: RequestFailure, progress: Progress, cause?: unknown) {
    super(cause instanceof Error ? cause.message : failure, { cause });
    this.failure = failure;
    this.progress = progress;
  }
}

/**
 * How far a request came. `sent`: a part of it may have reached the server. `heard`: what the server did. `left`: the first packet
 * may have left this machine.
 */
type Progress = { sent: boolean; heard: "nothing" | "accepted" | "bytes"; left: boolean };

const MOST_HEADER_BYTES = 16_384;
/** What a response has besides its body: certificates, head, and the sizes of chunks, which may be of a single byte. */
const MOST_FRAMING_BYTES = 32_768;
const MOST_FRAMING_OF_BYTE = 8;
/** Interim responses before the final one ("103 Early Hints"); honest servers don't send many. */
const MOST_ANNOUNCEMENTS = 3;
/** For connections that outlive a request. */
const CONNECT_WITHIN_MS = 10_000;

export type RequestOptions = {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array | undefined;
  /** The limit of the response's body. */
  maxBytes: number;
  /** For everything: name, connection, request, response. */
  timeoutMs: number;
  /** For the body alone, where the status has already decided. */
  bodyWithinMs?: number;
  signal?: AbortSignal | undefined;
  allow: Allow;
};

/**
 * Sends one request to an `http:` or `https:` URL.
 * @throws {RequestError} when no head of a response arrived
 */
export async function request(address: string | URL, options: RequestOptions): Promise<Answer> {
  const progress: Progress = { sent: false, heard: "nothing", left: false };
  const url = URL.parse(String(address));
  if (url === null || !/^https?:$/.test(url.protocol)) throw new RequestError("blocked", progress);
  const { allow } = options;
  if (allow.keepAliveMs !== undefined) return dispatch(agentOf(allow, allow.keepAliveMs), url, options, progress);
  const sockets: Socket[] = [];
  const agent = createAgent(allow, 0, (socket) => {
    sockets.push(socket);
    setImmediate(() => {
      progress.left = true;
    });
    socket.once("connect", () => {
      progress.heard = "accepted";
    });
  });
  try {
    const answer = await dispatch(agent, url, options, progress);
    const framing = sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0) - answer.body.length;
    const isPadded = framing > MOST_FRAMING_BYTES + answer.body.length * MOST_FRAMING_OF_BYTE;
    return isPadded && answer.end === "whole" ? { ...answer, end: "too_large" } : answer;
  } finally {
    void agent.destroy();
    for (const socket of sockets) socket.destroy();
  }
}

const agents = new WeakMap<Allow, Agent>();

function agentOf(allow: Allow, keepAliveMs: number): Agent {
  const agent = agents.get(allow) ?? createAgent(allow, keepAliveMs, () => {});
  agents.set(allow, agent);
  return agent;
}

function createAgent(allow: Allow, keepAliveMs: number, onSocket: (socket: Socket) => void): Agent {
  return new Agent({
    allowH2: false,
    maxHeaderSize: MOST_HEADER_BYTES,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: Math.max(keepAliveMs, 1),
    keepAliveMaxTimeout: Math.max(keepAliveMs, 1),
    connect: allow.find === undefined ? buildConnector({ allowH2: false }) : connectorFor(allow, onSocket),
  });
}

/** Makes undici's connector: opens a connection to the address that `allow` finds. */
function connectorFor(allow: Allow, onSocket: (socket: Socket) => void): buildConnector.connector {
  const open = async ({ hostname, port, protocol }: buildConnector.Options): Promise<Socket> => {
    const encrypted = protocol === "https:";
    const host = hostname.replace(/^\[|\]$/g, "");
    const place = { host, port: Number(port || (encrypted ? 443 : 80)), encrypted };
    const found = await allow.find?.(place);
    if (!found?.ok) throw new NotAllowed(found?.failure ?? "blocked");
    const at = { host: found.address, port: found.port ?? place.port, signal: AbortSignal.timeout(CONNECT_WITHIN_MS) };
    if (isIP(at.host) === 0) throw new NotAllowed("blocked");
    const socket = encrypted
      ? openTls({
          ...at,
          servername: isIP(host) === 0 ? host : "",
          ALPNProtocols: ["http/1.1"],
          minVersion: "TLSv1.2",
          rejectUnauthorized: allow.anyCertificate !== true,
          ...(allow.ca !== undefined && { ca: allow.ca }),
        })
      : openTcp(at);
    onSocket(socket);
    socket.setNoDelay(true);
    return new Promise((resolve, reject) => {
      socket.once("error", reject);
      socket.once("close", () => reject(Object.assign(new Error("closed"), { code: "ECONNRESET" })));
      socket.once(encrypted ? "secureConnect" : "connect", () => {
        socket.off("error", reject);
        resolve(socket);
      });
    });
  };
  return (options, callback) => {
    open(options).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}

class NotAllowed extends Error {
  readonly failure: NoAddress;
  constructor(failure: NoAddress) {
    super(failure);
    this.failure = failure;
  }
}

function dispatch(agent: Agent, url: URL, options: RequestOptions, progress: Progress): Promise<Answer> {
  const { method = "GET", headers = {}, body, maxBytes, timeoutMs, bodyWithinMs, signal, allow } = options;
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | null = null;
    let head: Pick<Answer, "status" | "headers" | "latencyMs"> | null = null;
    let sentAt = performance.now();
    let announcements = 0;
    let length = 0;
    const parts: Buffer[] = [];
    let isOver = false;

    const end = (how: Answer["end"], error?: Error): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", expire);
      if (how !== "whole") controller?.abort(error ?? new Error(how));
      if (head !== null) resolve({ ...head, body: Buffer.concat(parts).subarray(0, maxBytes), end: how });
      else reject(new RequestError(how === "timeout" ? "timeout" : failureOf(error), { ...progress }, error));
    };
    const expire = (): void => end("timeout");
    // After a stall of this process a reply may be unread: it is read before the immediate runs.
    let timer = setTimeout(() => setImmediate(expire), timeoutMs);
    signal?.addEventListener("abort", expire);
    if (signal?.aborted) return expire();

    agent.dispatch(
      {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers: { "User-Agent": "Spawnpoint", "Accept-Encoding": "identity", ...headers },
        body: body ?? null,
        reset: allow.keepAliveMs === undefined,
      },
      {
        onRequestStart(given) {
          controller = given;
          if (isOver) return given.abort(new Error("over"));
          progress.sent = true;
          sentAt = performance.now();
        },
        onResponseStarted() {
          progress.heard = "bytes";
        },
        onResponseStart(_, status, received) {
          progress.heard = "bytes";
          if (status < 200) {
            if (++announcements > MOST_ANNOUNCEMENTS) end("broken", new Error("too many announcements"));
            return;
          }
          head = { status, headers: received, latencyMs: performance.now() - sentAt };
          if (bodyWithinMs === undefined) return;
          clearTimeout(timer);
          timer = setTimeout(expire, bodyWithinMs);
        },
        onResponseData(_, chunk) {
          parts.push(chunk);
          length += chunk.length;
          if (length > maxBytes) end("too_large");
        },
        onResponseEnd: () => end("whole"),
        onResponseError: (_, error) => end("broken", error),
      },
    );
  });
}

function failureOf(error: (Error & { code?: string; failure?: unknown }) | undefined): RequestFailure {
  if (error instanceof NotAllowed) return error.failure;
  const code = error?.code ?? "";
  if (/^(?:ECONNREFUSED|ECONNRESET|EPIPE|EHOSTUNREACH|ENETUNREACH|UND_ERR_SOCKET)$/.test(code)) return "refused";
  if (/^(?:ENOTFOUND|EAI_AGAIN)$/.test(code)) return "dns";
  if (/^(?:ETIMEDOUT|ABORT_ERR|UND_ERR_CONNECT_TIMEOUT)$/.test(code)) return "timeout";
  // A header or path contains characters that a request can't.
  if (code === "UND_ERR_INVALID_ARG") return "blocked";
  return /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(code) ? "certificate" : "broken";
}
