// The mail that tells of something that somebody follows, or that operators' rules ask for.
import { type MailSite, writeMail } from "../mails/write-mail.ts";
import type { Telling } from "./tellings.ts";

const TEXTS = {
  en: { act: "Have a look", why: "You get this mail because you asked to be told." },
  de: { act: "Ansehen", why: "Du bekommst diese E-Mail, weil du Bescheid wissen wolltest." },
};

/** The finished mail. */
export function writeTellingMail(telling: Telling, locale: "en" | "de", site: MailSite) {
  const { act, why } = TEXTS[locale];
  return writeMail(
    {
      subject: telling.title,
      paragraphs: telling.body === "" ? [] : [telling.body],
      act: { label: act, link: `${site.url}${telling.path}` },
      why,
    },
    locale,
    site,
  );
}
