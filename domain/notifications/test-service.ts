// Tests a connected service: sends at once, without the outbox.
import { randomUUID } from "node:crypto";
import { sendMessage } from "#outside/channels/send.ts";
import { isServiceKind, SERVICES } from "#outside/channels/services.ts";
import { createServiceAllow } from "#outside/service-address.ts";
import type { AddressRule } from "./operator-channels.ts";
import { serviceMessage } from "./service-message.ts";
import type { Target } from "./targets.ts";

/** `answer`: the other side's own text, untrusted; empty if none. `reason`: why it wasn't accepted. */
export type ChannelTest = { sent: boolean; reason: string | null; answer: string };

/** Sends a service a test message, like all others. */
export async function testService({ kind, address }: Target, rule: AddressRule, siteUrl: string): Promise<ChannelTest> {
  if (!address || !isServiceKind(kind)) return { sent: false, reason: "unreadable", answer: "" };
  const message = serviceMessage({ delivery_id: randomUUID(), event: null, telling: null }, new URL(siteUrl).origin);
  const outcome = await sendMessage(createServiceAllow(rule), { service: SERVICES[kind], settings: address }, message);
  return { sent: outcome.sent, reason: outcome.sent ? null : outcome.failure, answer: outcome.answer };
}
