// Lists the notification channels.
import type { Channel } from "#domain/notifications/channel.ts";
import type { ChannelKind } from "#domain/notifications/targets.ts";
import { discordChannel } from "./discord-channel.ts";
import { mailChannel } from "./mail-channel.ts";
import { createPushChannel } from "./push-channel.ts";
import { webhookChannel } from "./webhook-channel.ts";

/** A kind without a row here isn't sent: its deliveries wait until they expire. */
export const CHANNELS: Partial<Record<ChannelKind, Channel>> = {
  discord: discordChannel,
  mail: mailChannel,
  push: createPushChannel(),
  webhook: webhookChannel,
};
