// Webhook: sends the event as JSON, signed by the rules of Standard Webhooks 1.0.
import { createHmac, randomBytes } from "node:crypto";
import { defineService, hostOf } from "./service.ts";

const PREFIX = "whsec_";
/** The standard requires 24 to 64. */
const SECRET_BYTES = 32;

/** Makes a new secret in the receivers' form. */
export const makeWebhookSecret = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString("base64")}`;

export const webhook = defineService({
  name: "Webhook",
  docs: "https://www.standardwebhooks.com/",
  public: false,
  help: {
    en: "Your program receives each event as JSON, signed with a secret that you see once.",
    de: "Dein Programm bekommt jedes Ereignis als JSON, signiert mit einem Geheimnis, das du einmal siehst.",
  },
  fields: {
    url: { kind: "url", label: { en: "URL", de: "URL" } },
  },
  shows: ({ url }) => hostOf(url),
  request: (settings, { id, timestampS, event }) => {
    const body = JSON.stringify(event);
    return {
      method: "POST",
      url: settings.url,
      headers: {
        "Content-Type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": String(timestampS),
        "webhook-signature": secretsOf(settings)
          .map((secret) => signatureBy(secret, `${id}.${timestampS}.${body}`))
          .join(" "),
      },
      body,
    };
  },
});

/** The secrets that sign messages now: beside a renewed one, the old one until `old_until`. A receiver knows one of them. */
function secretsOf(settings: Readonly<Record<string, string>>, now = Date.now()): string[] {
  const { secret = "", old_secret, old_until } = settings;
  return old_secret && old_until && Date.parse(old_until) > now ? [secret, old_secret] : [secret];
}

/** Signs the message with one secret (`v1`). */
function signatureBy(secret: string, signed: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), "base64");
  return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
}
