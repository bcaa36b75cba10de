// A test of a webhook: sent at once, without the outbox.
import { randomUUID } from "node:crypto";
import { createCheckedPost } from "#outside/checked-post.ts";
import { sendWebhook } from "#outside/webhook.ts";
import { type AddressRule, secretsOf } from "./operator-channels.ts";
import type { Target } from "./targets.ts";
import { webhookMessage } from "./webhook-message.ts";

/** `answer`: the other side's own words, a stranger's; empty where there were none. `reason`: why it was not taken. */
export type ChannelTest = { sent: boolean; reason: string | null; answer: string };

/** Sends a webhook a message of the type `test`, signed as all are. */
export async function testWebhook(target: Target, rule: AddressRule, siteUrl: string): Promise<ChannelTest> {
  const { address } = target;
  if (!address?.url) return { sent: false, reason: "blocked", answer: "" };
  const message = webhookMessage({ delivery_id: randomUUID(), event: null, telling: null }, new URL(siteUrl).origin);
  const to = { url: address.url, secrets: secretsOf(address) };
  const outcome = await sendWebhook(createCheckedPost(rule), to, message);
  return { sent: outcome.sent, reason: outcome.sent ? null : outcome.failure, answer: outcome.answer };
}
