// Microsoft Teams: posts an adaptive card by a workflow's webhook.
import { defineService, hostOf, jsonRequest } from "./service.ts";

export const teams = defineService({
  name: "Microsoft Teams",
  docs: "https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook",
  public: false,
  help: {
    en: "In Teams, add the workflow “Post to a channel when a webhook request is received” and copy its URL.",
    de: "Füge in Teams den Workflow für eingehende Webhooks („In Kanal posten, wenn eine Webhookanforderung empfangen wird“) hinzu und kopiere seine URL.",
  },
  fields: {
    url: {
      kind: "secret",
      label: { en: "Workflow URL", de: "URL des Workflows" },
      max: 1000,
      pattern: /^https:\/\/\S+$/,
    },
  },
  shows: ({ url }) => `${hostOf(url)} …${url.slice(-4)}`,
  request: ({ url }, message) =>
    jsonRequest(url, {
      type: "message",
      attachments: [
        {
          contentType: "application/vnd.microsoft.card.adaptive",
          contentUrl: null,
          content: {
            $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
            type: "AdaptiveCard",
            version: "1.4",
            body: [
              // A text run shows its text as it is; a text block would read Markdown.
              plainText(message.title, { size: "large", weight: "bolder" }),
              plainText(message.text),
            ],
            ...(message.url !== null && {
              actions: [{ type: "Action.OpenUrl", title: hostOf(message.url), url: message.url }],
            }),
          },
        },
      ],
    }),
});

const plainText = (text: string, look: Record<string, string> = {}) => ({
  type: "RichTextBlock",
  inlines: [{ type: "TextRun", text, ...look }],
});
