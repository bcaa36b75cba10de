// Escapes others' text for Discord messages: it shows as written, and is never a mention, a link or formatting.

/** Characters of formatting, mentions, links and emoji. */
const MARKS = /[\\`*_~|[\]<>@:]/g;
/** At the beginning of a line, these make a heading, a quote or a list. */
const OPENERS = /^[#+-]/;
/** Control characters, direction marks and invisible characters. */
const UNSEEN = /[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu;

/** Escapes a foreign text for Discord's Markdown, at most `most` characters before escaping. */
export function escapeText(text: string, most = 100): string {
  const seen = cut(text.replace(UNSEEN, " ").trim(), most);
  // Discord shows a link whose text looks like another address as raw Markdown.
  return seen.replaceAll("://", ": //").replace(MARKS, "\\$&").replace(OPENERS, "\\$&");
}

/** The same for places without Markdown: names of choices, the text of a button. */
export const plainText = (text: string, most: number): string => cut(text.replace(UNSEEN, " ").trim(), most);

/** Cuts a text, never within a character; `most` counts as Discord does, at worst in UTF-16. */
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

/** Formats a time that Discord shows relative and keeps updating: "3 minutes ago". */
export const agoOf = (ms: number): string => `<t:${Math.floor(ms / 1000)}:R>`;
