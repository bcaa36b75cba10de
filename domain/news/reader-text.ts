// News in the reader's language, or in the other one, marked as such, if theirs is missing.
import type { NewsText } from "#db/schema/index.ts";
import type { Locale } from "#shared/locale.ts";

/** `lang`: the language of the text. */
export type ReaderText = { lang: Locale; title: string; text: string };

/** Title and text in a reader's language; both in the other one if this has no title, or lacks a text that the other has. */
export function readerText({ title, text }: { title: NewsText; text: NewsText }, locale: Locale): ReaderText {
  const other: Locale = locale === "en" ? "de" : "en";
  const isWhole = title[locale] && (text[locale] || !text[other] || !title[other]);
  const lang = isWhole ? locale : other;
  return { lang, title: title[lang] ?? "", text: text[lang] ?? "" };
}
