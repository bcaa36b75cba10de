// Sends events to the message services that operators connected.
import { type Config, ownPorts } from "#config";
import type { Channel, Outcome } from "#domain/notifications/channel.ts";
import { serviceMessage } from "#domain/notifications/service-message.ts";
import { type SendOutcome, sendMessage } from "#outside/channels/send.ts";
import { isServiceKind, SERVICE_KINDS, SERVICES } from "#outside/channels/services.ts";
import { createServiceAllow, type ServiceAllow } from "#outside/service-address.ts";

/** One per process, with its DNS cache. */
const rules = new WeakMap<Config, ServiceAllow>();

function allowOf(config: Config): ServiceAllow {
  const allow =
    rules.get(config) ?? createServiceAllow({ allowCidrs: config.probeAllowCidrs, deniedPorts: ownPorts(config) });
  rules.set(config, allow);
  return allow;
}

export const serviceChannel: Channel = {
  kinds: SERVICE_KINDS,
  audience: "machines",
  atOnce: 10,
  async send(delivery, { config, siteOrigin }, signal) {
    const settings = delivery.target?.address;
    if (!settings || !isServiceKind(delivery.channel)) return { sent: false, reason: "unreadable", next: "never" };
    const to = { service: SERVICES[delivery.channel], settings };
    return outcomeOf(await sendMessage(allowOf(config), to, serviceMessage(delivery, siteOrigin), { signal }));
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
