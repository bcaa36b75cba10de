// Notification mails: for a follow or an operators' rule, and a member's daily digest.
import { type MailSite, writeMail } from "../mails/write-mail.ts";
import type { Telling } from "./tellings.ts";

const TEXTS = {
  en: {
    act: "Have a look",
    why: "You get this email because you asked to be told.",
    byRule: "You get this email because the site tells those who run it.",
    end: "End these emails with one press",
    drafted:
      "An incident is drafted from this outage. Players read nothing of it until one of you gives it words and publishes it.",
    toDraft: "To the draft",
  },
  de: {
    act: "Ansehen",
    why: "Du bekommst diese E-Mail, weil du Bescheid wissen wolltest.",
    byRule: "Du bekommst diese E-Mail, weil die Seite ihren Betreibern Bescheid sagt.",
    end: "Diese E-Mails mit einem Klick beenden",
    drafted:
      "Aus diesem Ausfall ist eine Störung entworfen. Spieler lesen nichts davon, bis jemand von euch ihr Worte gibt und sie veröffentlicht.",
    toDraft: "Zum Entwurf",
  },
};

/**
 * Returns the finished mail. `end_link`: page to end such mails; null: sent by operators' rules. `draft_path`: the incident drafted
 * for an outage, for an admin.
 */
export function writeTellingMail(
  telling: Telling,
  locale: "en" | "de",
  site: MailSite,
  { end_link, draft_path = null }: { end_link: string | null; draft_path?: string | null },
) {
  const { act, why, byRule, end, drafted, toDraft } = TEXTS[locale];
  const paragraphs = draft_path === null ? [telling.body] : [telling.body, drafted];
  return writeMail(
    {
      subject: telling.title,
      paragraphs: paragraphs.filter((text) => text !== ""),
      act:
        draft_path === null
          ? { label: act, link: `${site.url}${telling.path}` }
          : { label: toDraft, link: `${site.url}${draft_path}` },
      why: end_link ? why : byRule,
      ...(end_link && { end: { label: end, link: end_link } }),
    },
    locale,
    site,
  );
}

/** Data of a daily digest: `at` is a local time (18:05). `more`: number of omitted events. */
export type Digest = { things: (Telling & { at: string })[]; more: number };

const DIGEST = {
  en: {
    subject: (count: number, site: string) => `${site}: ${count === 1 ? "one thing today" : `${count} things today`}`,
    intro: "This is what happened to what you follow.",
    more: (count: number) => `And ${count} more.`,
    act: "Everything we tell you",
    why: "You get this email once a day, because you chose so.",
    end: TEXTS.en.end,
  },
  de: {
    subject: (count: number, site: string) => `${site}: ${count === 1 ? "eine Sache heute" : `${count} Dinge heute`}`,
    intro: "Das ist bei dem passiert, wozu du Bescheid wolltest.",
    more: (count: number) => `Und ${count} mehr.`,
    act: "Alles, was wir dir sagen",
    why: "Du bekommst diese E-Mail einmal am Tag, weil du es so gewählt hast.",
    end: TEXTS.de.end,
  },
};

/** Returns the finished mail. */
export function writeDigestMail({ things, more }: Digest, locale: "en" | "de", site: MailSite, endLink: string) {
  const t = DIGEST[locale];
  const all = `${site.url}/following`;
  return writeMail(
    {
      subject: t.subject(things.length + more, site.name),
      paragraphs: [t.intro],
      list: [
        ...things.map(({ title, body, path, at }) => ({
          title: `${at} ${title}`,
          text: body,
          link: `${site.url}${path}`,
        })),
        ...(more > 0 ? [{ title: t.more(more), text: "", link: all }] : []),
      ],
      act: { label: t.act, link: all },
      why: t.why,
      end: { label: t.end, link: endLink },
    },
    locale,
    site,
  );
}
