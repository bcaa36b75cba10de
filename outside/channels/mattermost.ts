// Mattermost and Rocket.Chat: posts Markdown by an incoming webhook.
import { defineService, hostOf, jsonRequest } from "./service.ts";

/** Escapes Markdown, and breaks mentions such as @all. */
const escaped = (text: string): string => text.replace(/[\\`*_{}[\]()#+\-.!|<>~:]/g, "\\$&").replaceAll("@", "@\u200b");

export const mattermost = defineService({
  name: "Mattermost, Rocket.Chat",
  docs: "https://developers.mattermost.com/integrate/webhooks/incoming/",
  public: false,
  help: {
    en: "Create an incoming webhook for the channel and copy its URL.",
    de: "Lege für den Kanal einen eingehenden Webhook an und kopiere seine URL.",
  },
  fields: {
    url: { kind: "secret", label: { en: "Webhook URL", de: "Webhook-URL" }, max: 1000, pattern: /^https?:\/\/\S+$/ },
  },
  shows: ({ url }) => `${hostOf(url)} …${url.slice(-4)}`,
  request: ({ url }, message) =>
    jsonRequest(url, {
      text: `**${escaped(message.title)}**\n${escaped(message.text)}${message.url === null ? "" : `\n${message.url}`}`,
    }),
});
