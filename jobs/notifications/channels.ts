// Lists the notification channels by the job that sends them.
import type { Channel } from "#domain/notifications/channel.ts";
import { discordChannel } from "./discord-channel.ts";
import { mailChannel } from "./mail-channel.ts";
import { createPushChannel } from "./push-channel.ts";
import { serviceChannel } from "./service-channel.ts";

export const CHANNELS = {
  mail: mailChannel,
  push: createPushChannel(),
  discord: discordChannel,
  services: serviceChannel,
} satisfies Record<string, Channel>;
