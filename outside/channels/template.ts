// A webhook whose JSON the operator writes: for services that aren't in the list.
import { defineService, hostOf, type ServiceMessage } from "./service.ts";

const PLACEHOLDER = /\{\{(title|text|url|type|server|game)\}\}/g;

export const template = defineService({
  name: "Webhook (JSON)",
  docs: null,
  public: false,
  help: {
    en: "Sends the JSON that you write. {{title}}, {{text}}, {{url}}, {{type}}, {{server}} and {{game}} are replaced.",
    de: "Sendet das JSON, das du schreibst. Ersetzt werden {{title}}, {{text}}, {{url}}, {{type}}, {{server}} und {{game}}.",
  },
  fields: {
    url: { kind: "secret", label: { en: "URL", de: "URL" }, max: 1000, pattern: /^https?:\/\/\S+$/ },
    authorization: {
      kind: "secret",
      label: { en: "Authorization header", de: "Kopfzeile „Authorization“" },
      optional: true,
      max: 500,
      pattern: /^[\x20-\x7e]+$/,
    },
    body: {
      kind: "lines",
      label: { en: "JSON", de: "JSON" },
      max: 4000,
      default: '{ "text": "{{title}}: {{text}} {{url}}" }',
    },
  },
  shows: ({ url }) => hostOf(url),
  check: ({ body }) => (isJson(filled(body, () => "x")) ? null : "body"),
  request: ({ url, authorization, body }, message) => ({
    method: "POST",
    url,
    headers: { "Content-Type": "application/json", ...(authorization !== "" && { Authorization: authorization }) },
    body: filled(body, (name) => placeholderText(message, name)),
  }),
});

/** Replaces the placeholders, escaped as part of a JSON string. */
const filled = (body: string, value: (name: string) => string): string =>
  body.replace(PLACEHOLDER, (_, name: string) => JSON.stringify(value(name)).slice(1, -1));

function placeholderText({ title, text, url, event }: ServiceMessage, name: string): string {
  const own: Record<string, string> = { title, text, url: url ?? "", type: event.type };
  const about = event.data[name];
  return own[name] ?? (typeof about === "object" && about !== null ? String(Reflect.get(about, "name") ?? "") : "");
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
