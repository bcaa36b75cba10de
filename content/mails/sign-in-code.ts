// Mail with a login code.
import { counted, type WrittenIn } from "./write-mail.ts";

export const signInCode: WrittenIn<{ code: string; minutes: number }> = {
  // The code isn't in the subject: locked phones show subjects.
  en: ({ code, minutes }, site) => ({
    subject: `Your login code for ${site.name}`,
    paragraphs: [`Here is your code. It works once, for ${counted(minutes, "minute", "minutes")}.`],
    code,
    after: [
      "Type it only on our site, and give it to nobody: we never ask for it. If you did not ask for it, ignore this mail.",
    ],
    why: "You get this mail because somebody wants to log in with your address.",
  }),
  de: ({ code, minutes }, site) => ({
    subject: `Dein Anmeldecode für ${site.name}`,
    paragraphs: [`Hier ist dein Code. Er gilt einmal und ${counted(minutes, "Minute", "Minuten")} lang.`],
    code,
    after: [
      "Gib ihn nur auf unserer Seite ein und verrate ihn niemandem: Wir fragen nie danach. Wenn du ihn nicht angefordert hast, lösche diese E-Mail einfach.",
    ],
    why: "Du bekommst diese E-Mail, weil sich jemand mit deiner Adresse anmelden möchte.",
  }),
};
