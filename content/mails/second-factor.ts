// Mail about a removed second factor: an admin removed it, or the site lost the secret to read it.
import { mailTime, type WrittenIn } from "./write-mail.ts";

export const secondFactorRemoved: WrittenIn<{ removed_at: string; security_link: string }> = {
  en: ({ removed_at, security_link }, site) => ({
    subject: `Your second factor for ${site.name} was removed`,
    paragraphs: [
      `An admin of the site removed the second factor of your account on ${mailTime(removed_at, "en")}. Until you set one up anew, your password or a code from your mailbox is enough to log in.`,
      "Did you ask for that? Then set it up anew when you can. If not, choose a new password and write to the people who run the site.",
    ],
    act: { label: "Set it up anew", link: security_link },
    why: "You get this mail because the removal of a second factor should never go unnoticed.",
  }),
  de: ({ removed_at, security_link }, site) => ({
    subject: `Dein zweiter Faktor für ${site.name} wurde entfernt`,
    paragraphs: [
      `Ein Admin der Seite hat am ${mailTime(removed_at, "de")} den zweiten Faktor deines Kontos entfernt. Bis du wieder einen einrichtest, genügt zum Anmelden dein Passwort oder ein Code aus deinem Postfach.`,
      "Hattest du darum gebeten? Dann richte ihn neu ein, sobald du kannst. Wenn nicht, wähle ein neues Passwort und schreib den Leuten, die die Seite betreiben.",
    ],
    act: { label: "Neu einrichten", link: security_link },
    why: "Du bekommst diese E-Mail, weil ein entfernter zweiter Faktor nie unbemerkt bleiben soll.",
  }),
};

export const secondFactorLost: WrittenIn<{ lost_at: string; security_link: string }> = {
  en: ({ lost_at, security_link }, site) => ({
    subject: `Please set up your second factor for ${site.name} anew`,
    paragraphs: [
      `The site had to be given a new secret on ${mailTime(lost_at, "en")}, and the old one is lost. Without it your second factor and your recovery codes cannot be checked any more, so they were removed.`,
      "Until you set one up anew, your password or a code from your mailbox is enough to log in. The entry in your authenticator app is of no more use.",
    ],
    act: { label: "Set it up anew", link: security_link },
    why: "You get this mail because your account was protected by a second factor.",
  }),
  de: ({ lost_at, security_link }, site) => ({
    subject: `Richte deinen zweiten Faktor für ${site.name} bitte neu ein`,
    paragraphs: [
      `Die Seite musste am ${mailTime(lost_at, "de")} ein neues Geheimnis bekommen, und das alte ist verloren. Ohne es lassen sich dein zweiter Faktor und deine Wiederherstellungscodes nicht mehr prüfen, deshalb wurden sie entfernt.`,
      "Bis du wieder einen einrichtest, genügt zum Anmelden dein Passwort oder ein Code aus deinem Postfach. Der Eintrag in deiner Authenticator-App nützt nichts mehr.",
    ],
    act: { label: "Neu einrichten", link: security_link },
    why: "Du bekommst diese E-Mail, weil dein Konto durch einen zweiten Faktor geschützt war.",
  }),
};
