// Tests a webhook: sends at once, without the outbox.
import { randomUUID } from "node:crypto";
import { createCheckedPost } from "#outside/checked-post.ts";
import { sendWebhook } from "#outside/webhook.ts";
import { type AddressRule, secretsOf } from "./operator-channels.ts";
import type { Target } from "./targets.ts";
import { webhookMessage } from "./webhook-message.ts";

/** `answer`: the other side's own text, untrusted; empty if none. `reason`: why it wasn't accepted. */
export type ChannelTest = { sent: boolean; reason: string | null; answer: string };

/** Sends a webhook a message of the type `test`, signed like all others. */
export async function testWebhook(target: Target, rule: AddressRule, siteUrl: string): Promise<ChannelTest> {
  const { address } = target;
  if (!address?.url) return { sent: false, reason: "blocked", answer: "" };
  const message = webhookMessage({ delivery_id: randomUUID(), event: null, telling: null }, new URL(siteUrl).origin);
  const to = { url: address.url, secrets: secretsOf(address) };
  const outcome = await sendWebhook(createCheckedPost(rule), to, message);
  return { sent: outcome.sent, reason: outcome.sent ? null : outcome.failure, answer: outcome.answer };
}
