/** Sends one HTTP request to an untrusted server: only to the checked address, at a fixed path, within a deadline and limits. */
import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import type { QueryFailure } from "#shared/statuses.ts";
import { type Allow, type Answer, RequestError, request } from "../request.ts";
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
const DEEPEST_JSON = 8;
/** A reverse proxy's statuses for a game that it cannot reach. */
const GATEWAY_ERRORS: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * Sends the request; never rejects. Only 200 with small and shallow JSON is an answer. `unauthorized`: it needs a key, or another
 * one. `deadlineMs` covers everything; the latency is that of the request, without connecting.
 */
export async function exchangeOverHttp(target: QueryTarget, question: HttpQuestion): Promise<HttpResult> {
  const startedAt = performance.now();
  const { host, path, query, method, body, headers, security, deadlineMs } = question;
  const scheme = security === "none" ? "http" : "https";
  const search = query ? `?${new URLSearchParams(query)}` : "";
  const fail = (failure: QueryFailure): HttpResult => ({
    ok: false,
    latencyMs: performance.now() - startedAt,
    failure,
  });
  try {
    const answer = await request(`${scheme}://${hostHeader(host, target.port)}${path}${search}`, {
      method,
      headers: {
        Host: hostHeader(host, target.port),
        Accept: "application/json",
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      maxBytes: MOST_BYTES,
      timeoutMs: deadlineMs,
      allow: onlyTo(target, security),
    });
    const failure = failureOfAnswer(answer);
    if (failure) return fail(failure);
    const read = parseShallowJson(answer.body.toString(), DEEPEST_JSON);
    return read === undefined ? fail("malformed") : { ok: true, latencyMs: answer.latencyMs, body: read };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return fail(failureOf(error));
  }
}

/** Allows the checked address alone, whatever the host is called. */
const onlyTo = ({ address, port }: QueryTarget, security: HttpQuestion["security"]): Allow => ({
  find: async () => ({ ok: true, address, port }),
  // Only if the adapter says so; see `security`.
  anyCertificate: security === "self_signed",
});

/** Reads the result by `read`; null from it: no reply of this game. */
export function answerOver(result: HttpResult, read: (body: unknown) => GameAnswer | QueryFailure | null): QueryResult {
  if (!result.ok) return result;
  const { latencyMs, body } = result;
  const answer = read(body) ?? "malformed";
  return typeof answer === "string" ? { ok: false, latencyMs, failure: answer } : { ok: true, latencyMs, answer };
}

function hostHeader(host: string, port: number): string {
  return `${isIP(host) === 6 ? `[${host}]` : isIP(host) === 4 ? host : domainToASCII(host)}:${port}`;
}

function failureOfAnswer({ status, headers, end }: Answer): QueryFailure | null {
  if (status === 401 || status === 403) return "unauthorized";
  // A proxy in front of the game answers: the game itself didn't.
  if (GATEWAY_ERRORS.has(status)) return "timeout";
  if (status !== 200) return "malformed";
  if ((headers["content-encoding"] ?? "identity") !== "identity") return "malformed";
  if ((headers["transfer-encoding"] ?? "chunked") !== "chunked") return "malformed";
  if (end === "timeout") return "timeout";
  return end === "whole" ? null : "malformed";
}

function failureOf({ failure, progress: { heard, left }, cause }: RequestError): QueryFailure {
  if (failure === "blocked") return "blocked";
  if (failure === "timeout") return heard === "nothing" ? "no_reply" : "timeout";
  if (heard === "bytes") return "malformed";
  if (failure === "refused" && heard === "accepted") return "refused";
  const known = failureOfError(cause, !left);
  // After an accepted connection the fault is in the response: no certificate, no HTTP, too many headers.
  return heard === "accepted" && known === "network" ? "malformed" : known;
}
