// Pushover: sends to a user or group.
import { defineService, jsonRequest } from "./service.ts";

const KEY = /^[A-Za-z0-9]{30}$/;

export const pushover = defineService({
  name: "Pushover",
  docs: "https://pushover.net/api",
  public: false,
  help: {
    en: "Register an application at pushover.net and enter its token, and the key of the user or group.",
    de: "Registriere bei pushover.net eine Anwendung und gib ihr Token und den Schlüssel des Benutzers oder der Gruppe ein.",
  },
  fields: {
    token: { kind: "secret", label: { en: "Application token", de: "Token der Anwendung" }, pattern: KEY },
    user: {
      kind: "secret",
      label: { en: "User or group key", de: "Schlüssel des Benutzers oder der Gruppe" },
      pattern: KEY,
    },
  },
  shows: ({ user }) => `…${user.slice(-4)}`,
  request: ({ token, user }, { title, text, url }) =>
    jsonRequest("https://api.pushover.net/1/messages.json", {
      token,
      user,
      // 250 and 1,024 characters at most.
      title: title.slice(0, 250),
      message: text.slice(0, 1000),
      ...(url !== null && { url }),
    }),
});
