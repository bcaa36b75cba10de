// Posts a notification to a Discord channel, once.
import { postMessage } from "#content/discord/post.ts";
import { askWebhook, isGone, type WebhookReply, webhookOf } from "#domain/discord/webhooks.ts";
import type { Channel, Outcome } from "#domain/notifications/channel.ts";
import { createDiscord } from "#outside/discord.ts";

/** A pending reply may raise what is left, so check a pause again after this. */
const LONGEST_WAIT_S = 10;

export const discordChannel: Channel = {
  kinds: ["discord"],
  audience: "people",
  atOnce: 10,
  async send({ target, telling, event }, { db, config, siteOrigin, mailSite }) {
    const webhook = target && webhookOf(target);
    if (!webhook) return { sent: false, reason: "unreadable", next: "never" };
    if (!telling) return { sent: false, reason: "no_words", next: "never" };
    const { target_id, locale } = target;
    const about = { kind: event?.kind ?? "", siteUrl: siteOrigin, siteName: mailSite().name, locale };
    const discord = createDiscord({ base: config.discordApi, siteUrl: siteOrigin });
    // A stop waits for this: no other process would know whether it arrived.
    return outcomeOf(
      await askWebhook({ db, target_id, webhook }, "post", () => discord.post(webhook, postMessage(telling, about))),
    );
  },
};

function outcomeOf(reply: WebhookReply): Outcome {
  switch (reply.outcome) {
    case "ok":
      return { sent: true };
    case "wait":
      return {
        sent: false,
        reason: "paused",
        next: "again",
        afterS: Math.min(reply.afterS, LONGEST_WAIT_S),
      };
    case "limited":
      return {
        sent: false,
        reason: "paused",
        next: "again",
        afterS: reply.afterS,
        target: { pausedS: reply.afterS },
      };
    case "refused":
      return { sent: false, reason: reply.text, next: isGone(reply) ? "target is gone" : "never" };
    case "failed":
      return { sent: false, reason: reply.text, next: "again" };
    case "in doubt":
      return { sent: false, reason: reply.text, next: "in doubt" };
  }
}
