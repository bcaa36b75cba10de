// Mail to an account's owner after a registration with their address; the page reveals nothing.
import type { WrittenIn } from "./write-mail.ts";

export const alreadyRegistered: WrittenIn<{ sign_in_link: string; reset_link: string }> = {
  en: ({ sign_in_link, reset_link }, site) => ({
    subject: `You already have an account at ${site.name}`,
    paragraphs: [
      "Somebody just tried to create an account with this address. You have one already, so nothing was changed.",
      "If that was you, simply log in. If you forgot your password, set a new one.",
    ],
    list: [{ title: "Set a new password", text: "", link: reset_link }],
    act: { label: "Log in", link: sign_in_link },
    after: ["If that was not you, you need not do anything."],
    why: "You get this mail because somebody entered your address at the registration.",
  }),
  de: ({ sign_in_link, reset_link }, site) => ({
    subject: `Du hast schon ein Konto bei ${site.name}`,
    paragraphs: [
      "Jemand wollte gerade mit dieser Adresse ein Konto anlegen. Du hast schon eins, deshalb wurde nichts geändert.",
      "Wenn du das warst, melde dich einfach an. Wenn du dein Passwort vergessen hast, setze ein neues.",
    ],
    list: [{ title: "Neues Passwort setzen", text: "", link: reset_link }],
    act: { label: "Anmelden", link: sign_in_link },
    after: ["Wenn du das nicht warst, musst du nichts tun."],
    why: "Du bekommst diese E-Mail, weil jemand deine Adresse bei der Registrierung eingegeben hat.",
  }),
};
