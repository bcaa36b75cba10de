// Mails about changed sign-in methods, or a new admin; and what to do if it wasn't the reader.
import { type MailSite, type MailTexts, mailTime, type WrittenIn } from "./write-mail.ts";

/** Kinds of changes. */
export type SecurityChange =
  | "admin-made"
  | "passkey-added"
  | "passkey-removed"
  | "second-factor-on"
  | "second-factor-off"
  | "recovery-codes-made"
  | "api-key-made"
  | "discord-linked"
  | "discord-unlinked"
  | "oidc-linked"
  | "oidc-unlinked"
  | "email-changed"
  | "password-changed"
  | "password-reset";

/** When (ISO 8601) and where: our own texts for browser and system, and the network address without its last part. */
export type WhenAndWhere = {
  changed_at: string;
  browser: string | null;
  system: string | null;
  network: string | null;
};

const WHAT: Record<SecurityChange, { en: string; de: string }> = {
  "admin-made": {
    en: "Your account is an admin's now.",
    de: "Dein Konto gehört jetzt zu den Admins.",
  },
  "passkey-added": {
    en: "A passkey was added to your account. Whoever holds it gets in without your password.",
    de: "Zu deinem Konto kam ein Passkey hinzu. Wer ihn hat, kommt ohne dein Passwort hinein.",
  },
  "passkey-removed": {
    en: "A passkey was removed from your account.",
    de: "Ein Passkey deines Kontos wurde entfernt.",
  },
  "second-factor-on": {
    en: "The second factor of your account was turned on.",
    de: "Der zweite Faktor deines Kontos wurde eingeschaltet.",
  },
  "second-factor-off": {
    en: "The second factor of your account was turned off. A password or a code from your mailbox is enough to log in now.",
    de: "Der zweite Faktor deines Kontos wurde ausgeschaltet. Zum Anmelden genügt jetzt das Passwort oder ein Code aus deinem Postfach.",
  },
  "recovery-codes-made": {
    en: "New recovery codes were made for your account. The old ones are void.",
    de: "Für dein Konto wurden neue Wiederherstellungscodes gemacht. Die alten gelten nicht mehr.",
  },
  "api-key-made": {
    en: "An API key was made in your name. A program that holds it can change the site.",
    de: "In deinem Namen wurde ein API-Schlüssel gemacht. Ein Programm, das ihn hat, kann die Seite ändern.",
  },
  "discord-linked": {
    en: "A Discord account was linked to your account. Whoever holds it gets in without your password.",
    de: "Mit deinem Konto wurde ein Discord-Konto verbunden. Wer es hat, kommt ohne dein Passwort hinein.",
  },
  "discord-unlinked": {
    en: "A Discord account was disconnected from your account. It opens it no more.",
    de: "Ein Discord-Konto wurde von deinem Konto getrennt. Es öffnet dein Konto nicht mehr.",
  },
  "oidc-linked": {
    en: "An account of another site was connected to your account. Anyone who has it can log in without your password.",
    de: "Mit deinem Konto wurde ein Konto einer anderen Website verbunden. Wer es hat, kann sich ohne dein Passwort anmelden.",
  },
  "oidc-unlinked": {
    en: "An account of another site was disconnected from your account. It no longer opens it.",
    de: "Ein Konto einer anderen Website wurde von deinem Konto getrennt. Es öffnet dein Konto nicht mehr.",
  },
  "email-changed": {
    en: "The email address of your account was changed. All devices were logged out, and all connected accounts of other sites, such as Discord, were disconnected.",
    de: "Die E-Mail-Adresse deines Kontos wurde geändert. Alle Geräte wurden abgemeldet, und alle verbundenen Konten anderer Websites wie Discord wurden getrennt.",
  },
  "password-changed": {
    en: "The password of your account was changed. All other devices were logged out.",
    de: "Das Passwort deines Kontos wurde geändert. Alle anderen Geräte wurden abgemeldet.",
  },
  "password-reset": {
    en: "A new password was set for your account by a link from your mailbox. All devices and programs were logged out, your API keys ended, and all connected accounts of other sites, such as Discord, were disconnected.",
    de: "Für dein Konto wurde mit einem Link aus deinem Postfach ein neues Passwort gesetzt. Alle Geräte und Programme wurden abgemeldet, deine API-Schlüssel sind beendet, und alle verbundenen Konten anderer Websites wie Discord wurden getrennt.",
  },
};

/** After these changes the reader's mailbox no longer opens the account, or the role is wrong: operators have to help. */
const ONLY_PEOPLE_HELP: ReadonlySet<SecurityChange> = new Set(["email-changed", "admin-made"]);

function whenAndWhere({ changed_at, browser, system, network }: WhenAndWhere, locale: "en" | "de"): string {
  const on = { en: "on", de: "auf" }[locale];
  const device = browser && system ? `${browser} ${on} ${system}` : (browser ?? system);
  const place = [device, network && { en: `address ${network}`, de: `Adresse ${network}` }[locale]]
    .filter(Boolean)
    .join(", ");
  const time = mailTime(changed_at, locale);
  if (!place) return { en: `When: ${time}.`, de: `Wann: ${time}.` }[locale];
  return { en: `When: ${time}. From: ${place}.`, de: `Wann: ${time}. Von: ${place}.` }[locale];
}

/** Builds a mail whose languages differ only in their texts. */
const inBoth = <Data>(write: (data: Data, site: MailSite, locale: "en" | "de") => MailTexts): WrittenIn<Data> => ({
  en: (data, site) => write(data, site, "en"),
  de: (data, site) => write(data, site, "de"),
});

const CHANGED = {
  en: {
    subject: (site: string) => `The security of your account at ${site} changed`,
    expected: "Did you expect that? Then all is well. If not, write to the people who run the site at once.",
    write: "Write to us",
    yours:
      "Was that you? Then all is well. If not, take your account back now: set a new password, which logs everybody out, and then look at your passkeys and your second factor.",
    reset: "That was not me",
    why: "You get this mail because such a change should never go unnoticed.",
  },
  de: {
    subject: (site: string) => `Die Sicherheit deines Kontos bei ${site} wurde geändert`,
    expected:
      "Hast du das erwartet? Dann ist alles gut. Wenn nicht, schreib sofort den Leuten, die die Seite betreiben.",
    write: "Schreib uns",
    yours:
      "Warst du das? Dann ist alles gut. Wenn nicht, hol dir dein Konto jetzt zurück: Setze ein neues Passwort, das meldet alle ab, und sieh dir danach deine Passkeys und deinen zweiten Faktor an.",
    reset: "Das war ich nicht",
    why: "Du bekommst diese E-Mail, weil eine solche Änderung nie unbemerkt bleiben soll.",
  },
};

export const securityChanged = inBoth<WhenAndWhere & { what: SecurityChange }>(({ what, ...where }, site, locale) => {
  const t = CHANGED[locale];
  const byPeople = ONLY_PEOPLE_HELP.has(what);
  return {
    subject: t.subject(site.name),
    paragraphs: [WHAT[what][locale], whenAndWhere(where, locale), byPeople ? t.expected : t.yours],
    act: byPeople
      ? { label: t.write, link: `${site.url}/contact` }
      : { label: t.reset, link: `${site.url}/forgot-password` },
    why: t.why,
  };
});

const NEW_ADMIN = {
  en: {
    subject: (site: string) => `${site} has a new admin`,
    who: (email: string) => `${email} is an admin of the site now, and may do everything that you may.`,
    expected:
      "Did you expect that? Then all is well. If not, take the role back at once, and speak to the other admins.",
    look: "Look at the account",
    why: "You get this mail because you are an admin: a new one should never go unnoticed.",
  },
  de: {
    subject: (site: string) => `${site} hat einen neuen Admin`,
    who: (email: string) => `${email} gehört jetzt zu den Admins der Seite und darf alles, was du darfst.`,
    expected:
      "Hast du das erwartet? Dann ist alles gut. Wenn nicht, nimm die Rolle sofort zurück und sprich mit den anderen Admins.",
    look: "Das Konto ansehen",
    why: "Du bekommst diese E-Mail, weil du Admin bist: Ein neuer Admin soll nie unbemerkt bleiben.",
  },
};

/** To all other admins; `email` and `user_id` are the new admin's. */
export const newAdmin = inBoth<WhenAndWhere & { email: string; user_id: string }>(
  ({ email, user_id, ...where }, site, locale) => {
    const t = NEW_ADMIN[locale];
    return {
      subject: t.subject(site.name),
      paragraphs: [t.who(email), whenAndWhere(where, locale), t.expected],
      act: { label: t.look, link: `${site.url}/admin/people/${user_id}` },
      why: t.why,
    };
  },
);
