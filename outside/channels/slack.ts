// Slack: posts by an incoming webhook.
import { defineService, jsonRequest } from "./service.ts";

/** Slack's three control characters. */
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

export const slack = defineService({
  name: "Slack",
  docs: "https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks/",
  public: false,
  help: {
    en: "Create a Slack app, turn on incoming webhooks, and copy the webhook URL of the channel.",
    de: "Lege eine Slack-App an, schalte eingehende Webhooks ein und kopiere die Webhook-URL des Kanals.",
  },
  fields: {
    url: {
      kind: "secret",
      label: { en: "Webhook URL", de: "Webhook-URL" },
      max: 1000,
      pattern: /^https:\/\/\S+$/,
    },
  },
  shows: ({ url }) => `…${url.slice(-4)}`,
  request: ({ url }, message) =>
    jsonRequest(url, {
      text: `*${escaped(message.title)}*\n${escaped(message.text)}${message.url === null ? "" : `\n<${escaped(message.url)}>`}`,
      unfurl_links: false,
    }),
});
