// About the password: the link to set a new one, and the word that it was changed.
import { counted, mailTime, type WrittenIn } from "./write-mail.ts";

export const resetPassword: WrittenIn<{ link: string; minutes: number }> = {
  en: ({ link, minutes }, site) => ({
    subject: `Set a new password for ${site.name}`,
    paragraphs: [
      "Forgotten passwords happen. With this link you choose a new one.",
      `It works once, for ${counted(minutes, "minute", "minutes")}.`,
    ],
    act: { label: "Choose a new password", link },
    after: ["If you did not ask for this, ignore this mail: your password stays as it is."],
    why: "You get this mail because somebody asked for a new password for your account.",
  }),
  de: ({ link, minutes }, site) => ({
    subject: `Neues Passwort für ${site.name}`,
    paragraphs: [
      "Passwörter vergisst man eben. Mit diesem Link wählst du ein neues.",
      `Er gilt einmal und ${counted(minutes, "Minute", "Minuten")} lang.`,
    ],
    act: { label: "Neues Passwort wählen", link },
    after: ["Wenn du das nicht wolltest, lösche diese E-Mail einfach: Dein Passwort bleibt, wie es ist."],
    why: "Du bekommst diese E-Mail, weil jemand ein neues Passwort für dein Konto angefordert hat.",
  }),
};

export const passwordChanged: WrittenIn<{ changed_at: string; reset_link: string }> = {
  en: ({ changed_at, reset_link }, site) => ({
    subject: `Your password for ${site.name} was changed`,
    paragraphs: [
      `The password of your account was changed on ${mailTime(changed_at, "en")}. All other devices were logged out.`,
      "Was that you? Then all is well. If not, take your account back now by setting a new password.",
    ],
    act: { label: "That was not me", link: reset_link },
    why: "You get this mail because a change of password should never go unnoticed.",
  }),
  de: ({ changed_at, reset_link }, site) => ({
    subject: `Dein Passwort für ${site.name} wurde geändert`,
    paragraphs: [
      `Das Passwort deines Kontos wurde am ${mailTime(changed_at, "de")} geändert. Alle anderen Geräte wurden abgemeldet.`,
      "Warst du das? Dann ist alles gut. Wenn nicht, hol dir dein Konto jetzt mit einem neuen Passwort zurück.",
    ],
    act: { label: "Das war ich nicht", link: reset_link },
    why: "Du bekommst diese E-Mail, weil eine Änderung des Passworts nie unbemerkt bleiben soll.",
  }),
};
