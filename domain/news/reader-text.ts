// News in the language of whoever reads them: where a language is missing, the other one, which then says so itself.
import type { NewsText } from "#db/schema/index.ts";
import type { Locale } from "#shared/locale.ts";

/** `lang`: which language it is in. */
export type ReaderText = { lang: Locale; title: string; text: string };

/** Title and text in a reader's language; both in the other one where the title has none in this. */
export function readerText({ title, text }: { title: NewsText; text: NewsText }, locale: Locale): ReaderText {
  const lang: Locale = title[locale] ? locale : locale === "en" ? "de" : "en";
  return { lang, title: title[lang] ?? "", text: text[lang] ?? "" };
}
