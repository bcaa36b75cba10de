// What messages ask for the language in the browser. The build puts this in the place of Paraglide's own runtime, which
// finds the language in ways that this site does not have, at a cost for every visitor.

export type { Locale } from "#shared/locale.ts";

/** Unset: one build speaks all languages. */
export const experimentalStaticLocale = undefined;

/** The language of the document. Changing it loads a new document, so it never changes within one. */
export const getLocale = () => (document.documentElement.lang === "de" ? "de" : "en");

/** Whether a message is to be said in German; `locale` where somebody asks for a language of their choice. */
export const inGerman = (options?: { locale?: string }): boolean => (options?.locale ?? getLocale()) === "de";
