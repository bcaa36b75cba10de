// Sends events to the message services that operators connected.
import { type Config, ownPorts } from "#config";
import type { Channel, Outcome } from "#domain/notifications/channel.ts";
import { serviceMessage } from "#domain/notifications/service-message.ts";
import { type SendOutcome, sendMessage } from "#outside/channels/send.ts";
import { isServiceKind, SERVICE_KINDS, SERVICES } from "#outside/channels/services.ts";
import { type CheckedPost, createCheckedPost } from "#outside/checked-post.ts";

/** One per process, with its DNS cache. */
const posts = new WeakMap<Config, CheckedPost>();

function postOf(config: Config): CheckedPost {
  const post =
    posts.get(config) ?? createCheckedPost({ allowCidrs: config.probeAllowCidrs, deniedPorts: ownPorts(config) });
  posts.set(config, post);
  return post;
}

export const serviceChannel: Channel = {
  kinds: SERVICE_KINDS,
  audience: "machines",
  atOnce: 10,
  async send(delivery, { config, siteOrigin }, signal) {
    const settings = delivery.target?.address;
    if (!settings || !isServiceKind(delivery.channel)) return { sent: false, reason: "unreadable", next: "never" };
    const to = { service: SERVICES[delivery.channel], settings };
    return outcomeOf(await sendMessage(postOf(config), to, serviceMessage(delivery, siteOrigin), signal));
  },
};

/** Operators rather get an alert twice than not at all, and programs recognise a repeat by its id: sent again when in doubt. */
function outcomeOf(outcome: SendOutcome): Outcome {
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
