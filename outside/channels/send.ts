// Sends one message by a service and interprets the response.
import type { CheckedPost, PostFailure } from "../checked-post.ts";
import type { Service, ServiceMessage, Settings } from "./service.ts";

/**
 * The result. `answer`: the status, and the service's own text on one line, for operators. `gone`: the receiver doesn't exist any
 * more. `afterS`: the wait that it asks for.
 */
export type SendOutcome =
  | { sent: true; answer: string }
  | { sent: false; failure: PostFailure | "status"; answer: string; gone: boolean; afterS: number | null };

const LONGEST_ANSWER = 300;
const LONGEST_WAIT_S = 86_400;

/** Sends one message; never rejects. A status between 200 and 299 means accepted. */
export async function sendMessage(
  post: CheckedPost,
  { service, settings }: { service: Service; settings: Settings },
  message: ServiceMessage,
  signal?: AbortSignal,
): Promise<SendOutcome> {
  const { method, url, headers, body } = service.request(settings, message);
  const result = await post.post(url, headers, body, { signal, method });
  if (!result.ok) return { sent: false, failure: result.failure, answer: "", gone: false, afterS: null };
  const { status } = result;
  const answer = `${status} ${inOneLine(result.body)}`.trim().slice(0, LONGEST_ANSWER);
  if (status >= 200 && status < 300) return { sent: true, answer };
  const said = service.retryAfterS?.(result) ?? null;
  const afterS = result.retryAfterS ?? (said === null ? null : Math.min(said, LONGEST_WAIT_S));
  return { sent: false, failure: "status", answer, gone: status === 410, afterS };
}

/** Cleans untrusted text: removes invisible characters, and those that could reverse the text around it. */
const inOneLine = (text: string): string =>
  text
    .replace(/[\p{C}\p{Z}]+/gu, " ")
    .trim()
    .slice(0, LONGEST_ANSWER);
