// What messages ask for the language on the server, in the place of Paraglide's own runtime: the language of the request
// that is being answered, however many are answered at the same time.

export { currentLanguage as getLocale } from "#web/request/language.ts";

/** Unset: one build speaks all languages. */
export const experimentalStaticLocale = undefined;
