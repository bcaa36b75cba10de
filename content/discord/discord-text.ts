// How text of others is put into a message of Discord: it shows as it was written, and is never a mention, a link or a mark.

/** What makes a mark, a mention, a link or an emoji of the text around it. */
const MARKS = /[\\`*_~|[\]<>@:]/g;
/** Of the lines after it, these make a heading, a quote or a list at the beginning of one. */
const OPENERS = /^[#+-]/;
/** Controls, what turns the direction of the text after it, and what nobody sees. */
const UNSEEN = /[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu;

/** A text of somebody else for a place where Discord reads Markdown, no longer than `most` characters before it is escaped. */
export function escapeText(text: string, most = 100): string {
  const seen = cut(text.replace(UNSEEN, " ").trim(), most);
  // Discord shows a link whose text looks like another address as its raw marks.
  return seen.replaceAll("://", ": //").replace(MARKS, "\\$&").replace(OPENERS, "\\$&");
}

/** The same for the places that are no Markdown: names of choices, the text of a button. */
export const plainText = (text: string, most: number): string => cut(text.replace(UNSEEN, " ").trim(), most);

/** Never through the middle of a character; `most` counts as Discord does, at the worst by UTF-16. */
export function cut(text: string, most: number): string {
  const whole = text.toWellFormed();
  if (whole.length <= most) return whole;
  let kept = "";
  for (const { segment } of SEGMENTS.segment(whole.slice(0, most))) {
    if (kept.length + segment.length > most - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

const SEGMENTS = new Intl.Segmenter("en", { granularity: "grapheme" });

/** A moment that Discord shows in each reader's own time, and keeps counting: "3 minutes ago". */
export const agoOf = (ms: number): string => `<t:${Math.floor(ms / 1000)}:R>`;
