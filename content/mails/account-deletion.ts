// Mails about deleting an account: requested, and done.
import { mailTime, type WrittenIn } from "./write-mail.ts";

export const accountDeletionStarted: WrittenIn<{ erase_at: string; link: string }> = {
  en: ({ erase_at, link }, site) => ({
    subject: `Your account at ${site.name} will be deleted`,
    paragraphs: [
      `As you asked, your account is switched off from now on. On ${mailTime(erase_at, "en")} it is erased for good, with everything that belongs to it.`,
      "Until then you can change your mind.",
    ],
    act: { label: "Keep my account", link },
    after: ["If you did not ask for this, keep your account and choose a new password."],
    why: "You get this mail because the deletion of your account was started.",
  }),
  de: ({ erase_at, link }, site) => ({
    subject: `Dein Konto bei ${site.name} wird gelöscht`,
    paragraphs: [
      `Wie gewünscht ist dein Konto ab jetzt abgeschaltet. Am ${mailTime(erase_at, "de")} wird es endgültig gelöscht, mit allem, was dazugehört.`,
      "Bis dahin kannst du es dir anders überlegen.",
    ],
    act: { label: "Konto behalten", link },
    after: ["Wenn du das nicht wolltest, behalte dein Konto und wähle ein neues Passwort."],
    why: "Du bekommst diese E-Mail, weil die Löschung deines Kontos begonnen wurde.",
  }),
};

export const accountDeleted: WrittenIn<{ kept_until: string | null }> = {
  en: ({ kept_until }, site) => ({
    subject: `Your account at ${site.name} is deleted`,
    paragraphs: [
      "Your account and everything that belonged to it are erased.",
      ...(kept_until
        ? [
            `Against fraud we keep a hash of your address and the dates of the account until ${mailTime(kept_until, "en")}; then that is erased too.`,
          ]
        : []),
      "Thank you for having played with us. You are always welcome back.",
    ],
    why: "You get this mail because your account was deleted. It is the last one.",
  }),
  de: ({ kept_until }, site) => ({
    subject: `Dein Konto bei ${site.name} ist gelöscht`,
    paragraphs: [
      "Dein Konto und alles, was dazugehörte, ist gelöscht.",
      ...(kept_until
        ? [
            `Zum Schutz vor Betrug bewahren wir einen Hash deiner Adresse und die Daten des Kontos (Beginn und Ende) bis ${mailTime(kept_until, "de")} auf; dann wird auch das gelöscht.`,
          ]
        : []),
      "Danke, dass du mit uns gespielt hast. Du bist jederzeit wieder willkommen.",
    ],
    why: "Du bekommst diese E-Mail, weil dein Konto gelöscht wurde. Es ist die letzte.",
  }),
};
