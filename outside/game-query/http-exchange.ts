/** Sends one HTTP request to an untrusted server: only to the checked address, at a fixed path, within a deadline and limits. */
import { request as askInTheOpen, type ClientRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { request as askEncrypted } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { TLSSocket } from "node:tls";
import { domainToASCII } from "node:url";
import type { QueryFailure } from "#shared/statuses.ts";
import type { GameAnswer, QueryResult, QueryTarget } from "./answer.ts";
import { failureOfError } from "./network-failure.ts";
import { parseShallowJson } from "./shallow-json.ts";

export type HttpQuestion = {
  /** The record's host: used for the Host header and the certificate, never to connect. */
  host: string;
  /** A constant of the adapter; never typed by a user. */
  path: `/${string}`;
  /** Values beside the path, such as a token; they are escaped. */
  query?: Readonly<Record<string, string>>;
  method: "GET" | "POST";
  /** A POST's body, sent as JSON. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  /**
   * Encrypted, or not. `self_signed`: the certificate proves nothing, because the game makes its own; protects what is sent
   * against listeners, not against a man in the middle.
   */
  security: "none" | "self_signed";
  deadlineMs: number;
};

/** `body` is the parsed JSON, not validated. */
export type HttpResult =
  | { ok: true; latencyMs: number; body: unknown }
  | { ok: false; latencyMs: number; failure: QueryFailure };

const MOST_BYTES = 262_144;
/** Of the status line and all headers. */
const MOST_HEADER_BYTES = 16_384;
const DEEPEST_JSON = 8;
/** Interim responses before the final one ("103 Early Hints"); honest servers don't send many. */
const MOST_ANNOUNCEMENTS = 3;
/** A reverse proxy's statuses for a game that it cannot reach. */
const GATEWAY_ERRORS: ReadonlySet<number> = new Set([502, 503, 504]);

/** The address is literal. If Node should resolve a name nevertheless, it gets no result. */
const neverResolve: LookupFunction = (name, _, done) =>
  done(Object.assign(new Error(`not resolved: ${name}`), { code: "ENOTFOUND" }), []);

/**
 * Sends the request; never rejects. Only 200 with small and shallow JSON is an answer: no redirect is followed, nothing is
 * decompressed, no cookie is stored, and the connection serves this request alone. `unauthorized`: it needs a key, or another
 * one. `deadlineMs` covers everything; the latency is that of the request, without connecting.
 */
export function exchangeOverHttp(target: QueryTarget, question: HttpQuestion): Promise<HttpResult> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    let asking: ClientRequest | undefined;
    let askedAt = startedAt;
    let tick: "same" | "later" = "same";
    let heard: "nothing" | "accepted" | "bytes" = "nothing";
    let isOver = false;

    const end = (result: HttpResult): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      asking?.destroy();
      resolve(result);
    };
    const fail = (failure: QueryFailure): void => end({ ok: false, latencyMs: performance.now() - startedAt, failure });
    const expire = (): void => fail(heard === "nothing" ? "no_reply" : "timeout");
    // After a stall of this process a reply may be unread: it is read before the immediate runs.
    const timer = setTimeout(() => setImmediate(expire), question.deadlineMs);

    if (isIP(target.address) === 0) return fail("blocked");
    try {
      const ask = question.security === "none" ? askInTheOpen : askEncrypted;
      asking = ask(optionsOf(target, question));
    } catch {
      // The record contains characters that a header can't.
      return fail("blocked");
    }
    // An error within this turn of the event loop is from the own system; the network cannot have answered yet.
    setImmediate(() => {
      tick = "later";
    });
    asking.on("socket", (socket) => {
      const ready = (): void => {
        heard = "accepted";
        askedAt = performance.now();
      };
      socket.once("connect", () => {
        heard = "accepted";
      });
      socket.once(socket instanceof TLSSocket ? "secureConnect" : "connect", ready);
    });
    asking.on("error", (error) => fail(failureOf(error, heard, tick === "same")));
    asking.on("close", () => fail(heard === "bytes" ? "malformed" : "refused"));
    let announcements = 0;
    asking.on("information", () => {
      heard = "bytes";
      if (++announcements > MOST_ANNOUNCEMENTS) fail("malformed");
    });
    // The server wants to switch protocols.
    asking.on("upgrade", (_, socket) => {
      socket.destroy();
      fail("malformed");
    });
    asking.on("response", (response) => {
      heard = "bytes";
      const failure = failureOfHead(response);
      if (failure) return fail(failure);
      const latencyMs = performance.now() - askedAt;
      const parts: Buffer[] = [];
      let bytes = 0;
      response.on("data", (part: Buffer) => {
        bytes += part.length;
        if (bytes > MOST_BYTES) return fail("malformed");
        parts.push(part);
      });
      response.on("error", (error) => fail(failureOf(error, heard, false)));
      response.on("end", () => {
        const body = response.complete ? parseShallowJson(Buffer.concat(parts).toString(), DEEPEST_JSON) : undefined;
        if (body === undefined) fail("malformed");
        else end({ ok: true, latencyMs, body });
      });
    });
    asking.end(question.body === undefined ? undefined : JSON.stringify(question.body));
  });
}

/** Reads the result by `read`; null from it: no reply of this game. */
export function answerOver(result: HttpResult, read: (body: unknown) => GameAnswer | QueryFailure | null): QueryResult {
  if (!result.ok) return result;
  const { latencyMs, body } = result;
  const answer = read(body) ?? "malformed";
  return typeof answer === "string" ? { ok: false, latencyMs, failure: answer } : { ok: true, latencyMs, answer };
}

function optionsOf({ address, port }: QueryTarget, question: HttpQuestion): RequestOptions & { servername?: string } {
  const { host, path, query, method, body, headers, security } = question;
  const search = query ? `?${new URLSearchParams(query)}` : "";
  const content: Record<string, string> =
    body === undefined
      ? {}
      : {
          "Content-Type": "application/json",
          "Content-Length": String(Buffer.byteLength(JSON.stringify(body))),
        };
  return {
    host: address,
    port,
    family: isIP(address),
    lookup: neverResolve,
    // A socket of its own, closed after the response: nothing from one game server can reach the request to another.
    agent: false,
    method,
    path: `${path}${search}`,
    setHost: false,
    maxHeaderSize: MOST_HEADER_BYTES,
    insecureHTTPParser: false,
    headers: {
      Host: hostHeader(host, port),
      "Accept-Encoding": "identity",
      Accept: "application/json",
      Connection: "close",
      "User-Agent": "Spawnpoint",
      ...content,
      ...headers,
    },
    ...(security === "self_signed" && {
      // Only if the adapter says so; see `security`.
      rejectUnauthorized: false,
      servername: isIP(host) === 0 ? domainToASCII(host) : "",
    }),
  };
}

function hostHeader(host: string, port: number): string {
  return `${isIP(host) === 6 ? `[${host}]` : isIP(host) === 4 ? host : domainToASCII(host)}:${port}`;
}

function failureOfHead({ statusCode, headers }: IncomingMessage): QueryFailure | null {
  if (statusCode === 401 || statusCode === 403) return "unauthorized";
  // A proxy in front of the game answers: the game itself didn't.
  if (statusCode !== undefined && GATEWAY_ERRORS.has(statusCode)) return "timeout";
  if (statusCode !== 200) return "malformed";
  if ((headers["content-encoding"] ?? "identity") !== "identity") return "malformed";
  if ((headers["transfer-encoding"] ?? "chunked") !== "chunked") return "malformed";
  return Number(headers["content-length"] ?? 0) > MOST_BYTES ? "malformed" : null;
}

function failureOf(error: unknown, heard: "nothing" | "accepted" | "bytes", beforeLeaving: boolean): QueryFailure {
  if (heard === "bytes") return "malformed";
  const failure = failureOfError(error, beforeLeaving);
  // After an accepted connection the fault is in the response: no certificate, no HTTP, too many headers.
  return heard === "accepted" && failure === "network" ? "malformed" : failure;
}
