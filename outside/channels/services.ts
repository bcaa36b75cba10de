// Lists the message services that can be connected as channels. A new one is a file beside this and a row here.
import { gotify } from "./gotify.ts";
import { homeAssistant } from "./home-assistant.ts";
import { matrix } from "./matrix.ts";
import { mattermost } from "./mattermost.ts";
import { ntfy } from "./ntfy.ts";
import { pushover } from "./pushover.ts";
import type { Service } from "./service.ts";
import { slack } from "./slack.ts";
import { teams } from "./teams.ts";
import { telegram } from "./telegram.ts";
import { template } from "./template.ts";
import { webhook } from "./webhook.ts";

/** By the kind that is stored with a channel: never rename one. In the order in which the admin area offers them. */
export const SERVICES = {
  ntfy,
  telegram,
  slack,
  teams,
  matrix,
  mattermost,
  gotify,
  pushover,
  home_assistant: homeAssistant,
  webhook,
  template,
} satisfies Record<string, Service>;

export type ServiceKind = keyof typeof SERVICES;

export const SERVICE_KINDS = Object.keys(SERVICES) as ServiceKind[];

export const isServiceKind = (kind: string): kind is ServiceKind => Object.hasOwn(SERVICES, kind);
