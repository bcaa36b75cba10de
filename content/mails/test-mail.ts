// Test mail that admins send to themselves during the setup.
import type { WrittenIn } from "./write-mail.ts";

export const testMail: WrittenIn<Record<string, never>> = {
  en: (_data, site) => ({
    subject: `A test mail from ${site.name}`,
    paragraphs: [
      "It works: mails of your site arrive. Confirmations, new passwords and login codes come the same way.",
    ],
    act: { label: "Back to the setup", link: `${site.url}/admin/setup?step=mail` },
    why: "You get this mail because you asked for it on the setup page.",
  }),
  de: (_data, site) => ({
    subject: `Eine Testmail von ${site.name}`,
    paragraphs: [
      "Es klappt: E-Mails deiner Seite kommen an. Bestätigungen, neue Passwörter und Anmeldecodes kommen auf demselben Weg.",
    ],
    act: { label: "Zurück zur Einrichtung", link: `${site.url}/de/admin/setup?step=mail` },
    why: "Du bekommst diese E-Mail, weil du sie auf der Seite zur Einrichtung angefordert hast.",
  }),
};
