// Lays out every mail as plain text and as simple HTML, from the same texts.

import { addressIn } from "#shared/locale.ts";
import { zonedMomentText } from "#shared/text/date-text.ts";
import { escapeHtml } from "#shared/text/escape-html.ts";

export type MailSite = { name: string; url: string };

/**
 * Texts of one mail. All plain: HTML is escaped here only. Links to the site's pages may be the English ones: a German mail links
 * to the German page.
 */
export type MailTexts = {
  subject: string;
  paragraphs: string[];
  /** Action for the reader: one link. */
  act?: { label: string; link: string };
  /** Code to type, shown large. */
  code?: string;
  /** A person's text, with its lines. */
  quote?: string;
  /** List of things, each with a page. */
  list?: { title: string; text: string; link: string }[];
  after?: string[];
  /** Why this mail was sent. */
  why: string;
  /** Page to end such mails. */
  end?: { label: string; link: string };
};

/** A template: the texts in each language. */
export type WrittenIn<Data> = Record<"en" | "de", (data: Data, site: MailSite) => MailTexts>;

const LINK_HINT = {
  en: "If the button does not work, open this address:",
  de: "Falls der Knopf nicht geht, öffne diese Adresse:",
};

/** Returns the finished mail. The subject is always one line. */
export function writeMail(given: MailTexts, locale: "en" | "de", site: MailSite) {
  const led = <Linking extends { link: string }>(it: Linking) => ({ ...it, link: linkIn(locale, it.link, site) });
  const texts = {
    ...given,
    subject: oneLine(given.subject),
    ...(given.act && { act: led(given.act) }),
    ...(given.list && { list: given.list.map(led) }),
    ...(given.end && { end: led(given.end) }),
  };
  return { subject: texts.subject, text: asText(texts, site), html: asHtml(texts, locale, site) };
}

/** External links stay unchanged. */
const linkIn = (locale: "en" | "de", link: string, { url }: MailSite): string =>
  link.startsWith(`${url}/`) ? url + addressIn(locale, link.slice(url.length)) : link;

/** Formats a time in UTC, because a mail doesn't know its reader's zone. */
export const mailTime = (iso: string, locale: "en" | "de"): string => zonedMomentText(Date.parse(iso), locale, "UTC");

/** Formats a count with its noun: `counted(1, "hour", "hours")`. */
export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
}

function asText(texts: MailTexts, site: MailSite): string {
  const parts = [
    ...texts.paragraphs,
    ...(texts.list ?? []).map(({ title, text, link }) => [title, text, link].filter(Boolean).join("\n")),
    texts.act && `${texts.act.label}:\n${texts.act.link}`,
    texts.code && `    ${texts.code}`,
    texts.quote
      ?.split(/\r\n|\r|\n/)
      .map((line) => `> ${line}`)
      .join("\n"),
    ...(texts.after ?? []),
    `-- \n${texts.why}\n${texts.end ? `${texts.end.label}: ${texts.end.link}\n` : ""}${site.name} – ${site.url}`,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

const STYLE = `
  :root { color-scheme: light dark; }
  body { margin: 0; padding: 32px 16px; background: #f4f1ed; color: #1d1916; font: 16px/1.6 Inter, "Segoe UI", Arial, sans-serif; }
  .sheet { max-width: 560px; margin: 0 auto; padding: 32px; border-radius: 14px; background: #ffffff; }
  h1 { margin: 0 0 20px; font-size: 22px; line-height: 1.3; }
  p { margin: 0 0 16px; overflow-wrap: anywhere; }
  .act { display: inline-block; padding: 12px 24px; border-radius: 999px; background: #ff8000; color: #000000; font-weight: 600; text-decoration: none; }
  .code { font-size: 30px; font-weight: 700; letter-spacing: 0.16em; }
  .quote { margin: 0 0 16px; padding: 4px 0 4px 16px; border-left: 3px solid #ff8000; white-space: pre-wrap; overflow-wrap: anywhere; }
  .small { color: #5d554e; font-size: 14px; }
  p a { color: inherit; }
  .end { margin: 24px 0 0; }
  @media (prefers-color-scheme: dark) {
    body { background: #0f0d0b; color: #f5f3f0; }
    .sheet { background: #1b1815; }
    .small { color: #b8b0a8; }
  }`;

function asHtml(texts: MailTexts, locale: "en" | "de", site: MailSite): string {
  const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`;
  const { act, end } = texts;
  const link = ({ label, link }: { label: string; link: string }) =>
    `<a href="${escapeHtml(link)}">${escapeHtml(label)}</a>`;
  const body = [
    `<h1>${escapeHtml(texts.subject)}</h1>`,
    ...texts.paragraphs.map(paragraph),
    ...(texts.list ?? []).map(
      ({ title, text, link: to }) =>
        `<p><strong>${link({ label: title, link: to })}</strong>${text && `<br>${escapeHtml(text)}`}</p>`,
    ),
    act && `<p><a class="act" href="${escapeHtml(act.link)}">${escapeHtml(act.label)}</a></p>`,
    texts.code && `<p class="code">${escapeHtml(texts.code)}</p>`,
    texts.quote && `<div class="quote">${escapeHtml(texts.quote)}</div>`,
    ...(texts.after ?? []).map(paragraph),
    act &&
      `<p class="small">${escapeHtml(LINK_HINT[locale])}<br><a href="${escapeHtml(act.link)}">${escapeHtml(act.link)}</a></p>`,
    `<p class="small end">${escapeHtml(texts.why)}<br>${end ? `${link(end)}<br>` : ""}${link({ label: site.name, link: site.url })}</p>`,
  ];
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(texts.subject)}</title>
<style>${STYLE}
</style>
</head>
<body>
<div class="sheet">
${body.filter(Boolean).join("\n")}
</div>
</body>
</html>
`;
}
