// Sends events to operators' programs as signed webhooks.
import { type Config, ownPorts } from "#config";
import type { Channel, Outcome } from "#domain/notifications/channel.ts";
import { secretsOf } from "#domain/notifications/operator-channels.ts";
import { webhookMessage } from "#domain/notifications/webhook-message.ts";
import { type CheckedPost, createCheckedPost } from "#outside/checked-post.ts";
import { sendWebhook, type WebhookOutcome } from "#outside/webhook.ts";

/** One per process, with its DNS cache. */
const posts = new WeakMap<Config, CheckedPost>();

function postOf(config: Config): CheckedPost {
  const post =
    posts.get(config) ?? createCheckedPost({ allowCidrs: config.probeAllowCidrs, deniedPorts: ownPorts(config) });
  posts.set(config, post);
  return post;
}

export const webhookChannel: Channel = {
  kind: "webhook",
  audience: "machines",
  atOnce: 10,
  async send(delivery, { config, siteOrigin }, signal) {
    const address = delivery.target?.address;
    if (!address?.url) return { sent: false, reason: "unreadable", next: "never" };
    const to = { url: address.url, secrets: secretsOf(address) };
    return outcomeOf(await sendWebhook(postOf(config), to, webhookMessage(delivery, siteOrigin), signal));
  },
};

/** Machines recognise a repetition by its id, so a message in doubt is sent again. */
function outcomeOf(outcome: WebhookOutcome): Outcome {
  if (outcome.sent) return outcome;
  const { failure: reason, answer, gone, afterS } = outcome;
  if (gone) return { sent: false, reason, answer, next: "target is gone" };
  return {
    sent: false,
    reason,
    answer,
    next: "again",
    ...(afterS !== null && { afterS, target: { pausedS: afterS } }),
  };
}
