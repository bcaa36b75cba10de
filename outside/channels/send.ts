// Sends one message by a service and interprets the response.
import { RequestError, type RequestFailure, request } from "../request.ts";
import { readRetryAfter } from "../retry-after.ts";
import { readServiceAddress, type ServiceAllow } from "../service-address.ts";
import type { Service, ServiceMessage, Settings } from "./service.ts";

/**
 * The result. `answer`: the status, and the service's own text on one line, for operators. `gone`: the receiver doesn't exist any
 * more. `afterS`: the wait that it asks for.
 */
export type SendOutcome =
  | { sent: true; answer: string }
  | { sent: false; failure: RequestFailure | "status"; answer: string; gone: boolean; afterS: number | null };

const LONGEST_ANSWER = 300;
const LONGEST_WAIT_S = 86_400;
/** The limit of the response's body; the rest is ignored. */
const MOST_BYTES = 4_096;
const LIMIT_MS = 10_000;

/** Sends one message; never rejects. A status between 200 and 299 means accepted. */
export async function sendMessage(
  allow: ServiceAllow,
  { service, settings }: { service: Service; settings: Settings },
  message: ServiceMessage,
  { signal, limitMs = LIMIT_MS }: { signal?: AbortSignal | undefined; limitMs?: number } = {},
): Promise<SendOutcome> {
  const { url, ...asked } = service.request(settings, message);
  const failed = (failure: RequestFailure) =>
    ({ sent: false, failure, answer: "", gone: false, afterS: null }) as const;
  if (readServiceAddress(url) === null) return failed("blocked");
  try {
    // A response counts from its status line on, however its body ends.
    const response = await request(url, { ...asked, maxBytes: MOST_BYTES, timeoutMs: limitMs, signal, allow });
    const { status } = response;
    const body = String(response.body);
    const answer = `${status} ${inOneLine(body)}`.trim().slice(0, LONGEST_ANSWER);
    if (status >= 200 && status < 300) return { sent: true, answer };
    const said = service.retryAfterS?.({ status, body }) ?? null;
    const afterS = readRetryAfter(response.headers["retry-after"]) ?? (said && Math.min(said, LONGEST_WAIT_S));
    return { sent: false, failure: "status", answer, gone: status === 410, afterS };
  } catch (error) {
    if (error instanceof RequestError) return failed(error.failure);
    throw error;
  }
}

/** Cleans untrusted text: removes invisible characters, and those that could reverse the text around it. */
const inOneLine = (text: string): string =>
  text
    .replace(/[\p{C}\p{Z}]+/gu, " ")
    .trim()
    .slice(0, LONGEST_ANSWER);
