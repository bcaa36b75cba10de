/** Signed webhooks (Standard Webhooks 1.0): what is said about one message, and what the receiver's answer means. */
import { createHmac, randomBytes } from "node:crypto";
import type { CheckedPost, PostFailure } from "./checked-post.ts";

const PREFIX = "whsec_";
/** Between 24 and 64, says the standard. */
const SECRET_BYTES = 32;

/** A new secret as receivers are told it. */
export const makeWebhookSecret = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString("base64")}`;

/** `v1` of one secret over the message. */
function signatureBy(secret: string, signed: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), "base64");
  return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
}

export type WebhookMessage = {
  /** The same for each attempt: receivers know by it what they have had already. */
  id: string;
  /** When this attempt is made, in whole seconds since 1970. */
  timestampS: number;
  /** JSON. */
  body: string;
};

/** The headers of a message; signed by each of the secrets, of which a receiver knows one. */
function webhookHeaders({ id, timestampS, body }: WebhookMessage, secrets: readonly string[]) {
  const signed = `${id}.${timestampS}.${body}`;
  return {
    "Content-Type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(timestampS),
    "webhook-signature": secrets.map((secret) => signatureBy(secret, signed)).join(" "),
  };
}

/**
 * What became of it. `answer`: the status, and the receiver's own words on one line, for operators. `gone`: it says that there is
 * no such receiver any more.
 */
export type WebhookOutcome =
  | { sent: true; answer: string }
  | { sent: false; failure: PostFailure | "status"; answer: string; gone: boolean; afterS: number | null };

const LONGEST_ANSWER = 300;

/** Sends one message to a receiver; never rejects. A status between 200 and 299 says that it was taken. */
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

/** A stranger's text without what cannot be seen, and without what could turn the text around it. */
const inOneLine = (text: string): string =>
  text
    .replace(/[\p{C}\p{Z}]+/gu, " ")
    .trim()
    .slice(0, LONGEST_ANSWER);
