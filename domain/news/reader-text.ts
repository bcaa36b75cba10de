// News in the language of whoever reads them: where a language is missing, the other one, which then says so itself.
import type { NewsText } from "#db/schema/index.ts";
import type { Locale } from "#shared/locale.ts";

/** `lang`: which language it is in. */
export type ReaderText = { lang: Locale; title: string; text: string };

/** Title and text in a reader's language; both in the other one where this has no title, or none of the text that the other has. */
export function readerText({ title, text }: { title: NewsText; text: NewsText }, locale: Locale): ReaderText {
  const other: Locale = locale === "en" ? "de" : "en";
  const isWhole = title[locale] && (text[locale] || !text[other] || !title[other]);
  const lang = isWhole ? locale : other;
  return { lang, title: title[lang] ?? "", text: text[lang] ?? "" };
}
