// Gotify: creates a message of an application.
import { below, defineService, hostOf, jsonRequest } from "./service.ts";

export const gotify = defineService({
  name: "Gotify",
  docs: "https://gotify.net/docs/pushmsg",
  public: false,
  help: {
    en: "In Gotify, open Apps, create an application and copy its token.",
    de: "Öffne in Gotify „Apps“, lege eine Anwendung an und kopiere ihr Token.",
  },
  fields: {
    server: { kind: "url", label: { en: "Server", de: "Server" } },
    token: { kind: "secret", label: { en: "Application token", de: "Token der Anwendung" } },
  },
  shows: ({ server }) => hostOf(server),
  request: ({ server, token }, { title, text, url }) =>
    jsonRequest(
      below(server, "message"),
      {
        title,
        message: text,
        priority: 5,
        ...(url !== null && { extras: { "client::notification": { click: { url } } } }),
      },
      { "X-Gotify-Key": token },
    ),
});
