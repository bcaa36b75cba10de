// ntfy: publishes to a topic as JSON.
import { defineService, hostOf, jsonRequest } from "./service.ts";

export const ntfy = defineService({
  name: "ntfy",
  docs: "https://docs.ntfy.sh/publish/",
  public: false,
  help: {
    en: "Choose a topic that is hard to guess: without a token, anyone who knows it can read it.",
    de: "Wähle ein Thema, das sich nicht erraten lässt: Ohne Token kann es jeder lesen, der es kennt.",
  },
  fields: {
    server: { kind: "url", label: { en: "Server", de: "Server" }, default: "https://ntfy.sh" },
    topic: { kind: "text", label: { en: "Topic", de: "Thema" }, pattern: /^[-_A-Za-z0-9]{1,64}$/ },
    token: { kind: "secret", label: { en: "Access token", de: "Zugriffstoken" }, optional: true },
  },
  shows: ({ server, topic }) => `${hostOf(server)}/${topic}`,
  request: ({ server, topic, token }, { title, text, url }) =>
    jsonRequest(
      server,
      { topic, title, message: text, ...(url !== null && { click: url }) },
      token === "" ? {} : { Authorization: `Bearer ${token}` },
    ),
});
