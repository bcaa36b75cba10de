// Mails about the password: link to reset it, and notice of a change.
import { counted, type WrittenIn } from "./write-mail.ts";

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
