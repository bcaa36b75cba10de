/** Sends signed webhooks (Standard Webhooks 1.0) and interprets the receiver's response. */
import { createHmac, randomBytes } from "node:crypto";
import type { CheckedPost, PostFailure } from "./checked-post.ts";

const PREFIX = "whsec_";
/** The standard requires 24 to 64. */
const SECRET_BYTES = 32;

/** Makes a new secret in the receivers' form. */
export const makeWebhookSecret = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString("base64")}`;

/** Signs the message with one secret (`v1`). */
function signatureBy(secret: string, signed: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), "base64");
  return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
}

export type WebhookMessage = {
  /** The same for each attempt: receivers detect repeats by it. */
  id: string;
  /** The time of this attempt, in whole seconds since 1970. */
  timestampS: number;
  /** JSON. */
  body: string;
};

/** Makes the headers of a message; signed by each of the secrets, of which a receiver knows one. */
function webhookHeaders({ id, timestampS, body }: WebhookMessage, secrets: readonly string[]) {
  const signed = `${id}.${timestampS}.${body}`;
  return {
    "Content-Type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(timestampS),
    "webhook-signature": secrets.map((secret) => signatureBy(secret, signed)).join(" "),
  };
}

/** The result. `answer`: the status, and the receiver's own text on one line, for operators. `gone`: the receiver is gone. */
export type WebhookOutcome =
  | { sent: true; answer: string }
  | { sent: false; failure: PostFailure | "status"; answer: string; gone: boolean; afterS: number | null };

const LONGEST_ANSWER = 300;

/** Sends one message to a receiver; never rejects. A status between 200 and 299 means accepted. */
export async function sendWebhook(
  post: CheckedPost,
  to: { url: string; secrets: readonly string[] },
  message: WebhookMessage,
  signal?: AbortSignal,
): Promise<WebhookOutcome> {
  const result = await post.post(to.url, webhookHeaders(message, to.secrets), message.body, signal);
  if (!result.ok) return { sent: false, failure: result.failure, answer: "", gone: false, afterS: null };
  const { status, retryAfterS: afterS } = result;
  const answer = `${status} ${inOneLine(result.body)}`.trim().slice(0, LONGEST_ANSWER);
  if (status >= 200 && status < 300) return { sent: true, answer };
  return { sent: false, failure: "status", answer, gone: status === 410, afterS };
}

/** Cleans untrusted text: removes invisible characters, and those that could reverse the text around it. */
const inOneLine = (text: string): string =>
  text
    .replace(/[\p{C}\p{Z}]+/gu, " ")
    .trim()
    .slice(0, LONGEST_ANSWER);
