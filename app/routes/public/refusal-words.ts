// Why a form was refused, in words.
import type { Refusal } from "#web/auth-actions.ts";
import type { Spoken } from "../../spoken.ts";

type Words = Record<Exclude<Refusal["reason"], "limit">, string> & { limit: (wait_s: number) => string };

const WORDS: Record<Spoken, Words> = {
  en: {
    missing: "You must provide either an email or phone number and a password",
    email: "This is not an e-mail address. Please check it.",
    short: "This password is too short. Use at least 8 characters.",
    long: "This password is too long. Use at most 128 characters.",
    common: "This password is one of the most common ones, so it would be guessed quickly.",
    "like-email": "This password is your e-mail address, so it would be guessed quickly.",
    wrong: "The e-mail address or the password is wrong.",
    code: "This code is wrong, used or expired.",
    link: "This link is used or expired.",
    unverified: "Please confirm your e-mail address first. We have just sent you a new link.",
    closed: "This account is closed.",
    banned: "This account is banned.",
    limit: (wait_s) =>
      `Too many tries. Please wait ${minutes("en", wait_s)}, or sign in by a code sent to your mailbox.`,
  },
  de: {
    missing: "Bitte gib eine E-Mail-Adresse oder Telefonnummer und ein Passwort an",
    email: "Das ist keine E-Mail-Adresse. Bitte prüfe sie.",
    short: "Dieses Passwort ist zu kurz. Nimm mindestens 8 Zeichen.",
    long: "Dieses Passwort ist zu lang. Nimm höchstens 128 Zeichen.",
    common: "Dieses Passwort ist eines der häufigsten und wäre schnell erraten.",
    "like-email": "Dieses Passwort ist deine E-Mail-Adresse und wäre schnell erraten.",
    wrong: "Die E-Mail-Adresse oder das Passwort ist falsch.",
    code: "Dieser Code ist falsch, benutzt oder abgelaufen.",
    link: "Dieser Link ist benutzt oder abgelaufen.",
    unverified: "Bitte bestätige zuerst deine E-Mail-Adresse. Wir haben dir gerade einen neuen Link geschickt.",
    closed: "Dieses Konto ist geschlossen.",
    banned: "Dieses Konto ist gesperrt.",
    limit: (wait_s) =>
      `Zu viele Versuche. Bitte warte ${minutes("de", wait_s)} oder melde dich mit einem Code aus deinem Postfach an.`,
  },
};

function minutes(spoken: Spoken, seconds: number): string {
  const unit = seconds < 90 ? "second" : "minute";
  const value = unit === "second" ? seconds : Math.ceil(seconds / 60);
  return new Intl.NumberFormat(spoken, { style: "unit", unit, unitDisplay: "long" }).format(value);
}

/** The sentence for a refusal. */
export function refusalWords(spoken: Spoken, refusal: Refusal): string {
  return refusal.reason === "limit" ? WORDS[spoken].limit(refusal.wait_s) : WORDS[spoken][refusal.reason];
}

/** What an answer to a refused form carries besides the words. */
export function refusalInit(refusal: Refusal): { status: number; headers?: Record<string, string> } {
  return refusal.reason === "limit"
    ? { status: 429, headers: { "Retry-After": String(refusal.wait_s) } }
    : { status: refusal.status };
}
