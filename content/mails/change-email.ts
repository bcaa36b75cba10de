// Mails that confirm a new email address on both sides: first the old one, then the new one.
import { counted, type WrittenIn } from "./write-mail.ts";

export const changeEmailOld: WrittenIn<{ new_email: string; link: string; hours: number }> = {
  en: ({ new_email, link, hours }, site) => ({
    subject: `Do you want to change your email address at ${site.name}?`,
    paragraphs: [
      `Your account is about to move from this address to ${new_email}. Please allow it here first; then we write to the new address.`,
      `The link works once, for ${counted(hours, "hour", "hours")}.`,
    ],
    act: { label: "Allow the change", link },
    after: [
      "If you did not ask for this, do not open the link: nothing changes. But somebody may know your password, so please choose a new one.",
    ],
    why: "You get this mail because a new address was entered in the settings of your account.",
  }),
  de: ({ new_email, link, hours }, site) => ({
    subject: `Möchtest du deine E-Mail-Adresse bei ${site.name} ändern?`,
    paragraphs: [
      `Dein Konto soll von dieser Adresse zu ${new_email} umziehen. Erlaube es bitte zuerst hier; dann schreiben wir an die neue Adresse.`,
      `Der Link gilt einmal und ${counted(hours, "Stunde", "Stunden")} lang.`,
    ],
    act: { label: "Änderung erlauben", link },
    after: [
      "Wenn du das nicht wolltest, öffne den Link nicht: Dann ändert sich nichts. Vielleicht kennt aber jemand dein Passwort, wähle also bitte ein neues.",
    ],
    why: "Du bekommst diese E-Mail, weil in den Einstellungen deines Kontos eine neue Adresse eingetragen wurde.",
  }),
};

export const changeEmailNew: WrittenIn<{ link: string; hours: number }> = {
  en: ({ link, hours }, site) => ({
    subject: `Confirm your new email address for ${site.name}`,
    paragraphs: [
      "One step is left until your account uses this address: confirm that it is yours.",
      `The link works once, for ${counted(hours, "hour", "hours")}.`,
    ],
    act: { label: "Use this address", link },
    after: ["If you know nothing of this, ignore this mail: then the address is not used."],
    why: "You get this mail because somebody entered this address as the new one of an account.",
  }),
  de: ({ link, hours }, site) => ({
    subject: `Bestätige deine neue E-Mail-Adresse für ${site.name}`,
    paragraphs: [
      "Ein Schritt fehlt noch, bis dein Konto diese Adresse benutzt: Bestätige, dass sie dir gehört.",
      `Der Link gilt einmal und ${counted(hours, "Stunde", "Stunden")} lang.`,
    ],
    act: { label: "Diese Adresse benutzen", link },
    after: ["Wenn du davon nichts weißt, lösche diese E-Mail einfach: Dann wird die Adresse nicht benutzt."],
    why: "Du bekommst diese E-Mail, weil jemand diese Adresse als neue Adresse eines Kontos eingetragen hat.",
  }),
};
