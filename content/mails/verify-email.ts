// Mail that verifies the address after registration.
import { counted, type WrittenIn } from "./write-mail.ts";

export const verifyEmail: WrittenIn<{ link: string; hours: number }> = {
  en: ({ link, hours }, site) => ({
    subject: `Confirm your email address for ${site.name}`,
    paragraphs: [
      `Welcome to ${site.name}! One step is left: confirm that this address is yours.`,
      `The link works once, for ${counted(hours, "hour", "hours")}.`,
    ],
    act: { label: "Confirm my address", link },
    after: [
      "If you did not create an account, ignore this mail. Without the confirmation nobody can use your address.",
    ],
    why: "You get this mail because somebody created an account with this address.",
  }),
  de: ({ link, hours }, site) => ({
    subject: `Bestätige deine E-Mail-Adresse für ${site.name}`,
    paragraphs: [
      `Willkommen bei ${site.name}! Ein Schritt fehlt noch: Bestätige, dass diese Adresse dir gehört.`,
      `Der Link gilt einmal und ${counted(hours, "Stunde", "Stunden")} lang.`,
    ],
    act: { label: "Adresse bestätigen", link },
    after: [
      "Wenn du kein Konto angelegt hast, lösche diese E-Mail einfach. Ohne Bestätigung kann niemand deine Adresse benutzen.",
    ],
    why: "Du bekommst diese E-Mail, weil jemand mit dieser Adresse ein Konto angelegt hat.",
  }),
};
