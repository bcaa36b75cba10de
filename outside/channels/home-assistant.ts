// Home Assistant: calls a notify action.
import { below, defineService, hostOf, jsonRequest, textWithLink } from "./service.ts";

export const homeAssistant = defineService({
  name: "Home Assistant",
  docs: "https://developers.home-assistant.io/docs/api/rest/",
  public: false,
  help: {
    en: "Create a long-lived access token in your Home Assistant profile, under Security.",
    de: "Lege in deinem Profil von Home Assistant unter „Sicherheit“ ein langlebiges Zugriffstoken an.",
  },
  fields: {
    server: { kind: "url", label: { en: "Address", de: "Adresse" } },
    token: { kind: "secret", label: { en: "Access token", de: "Zugriffstoken" }, max: 500 },
    action: {
      kind: "text",
      label: { en: "Notify action", de: "Benachrichtigungsaktion" },
      hint: { en: "Such as mobile_app_my_phone.", de: "Zum Beispiel mobile_app_mein_telefon." },
      default: "notify",
      pattern: /^[a-z0-9_]{1,100}$/,
    },
  },
  shows: ({ server, action }) => `${hostOf(server)} ${action}`,
  request: ({ server, token, action }, message) =>
    jsonRequest(
      below(server, `api/services/notify/${action}`),
      { title: message.title, message: textWithLink(message) },
      { Authorization: `Bearer ${token}` },
    ),
});
