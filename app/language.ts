// How a page speaks its language: numbers, texts from the database, and addresses that keep the language.

import { addressIn, type Locale } from "#shared/locale.ts";
import { dayText } from "#shared/text/date-text.ts";
import { getLocale } from "./paraglide/runtime.js";

const numbers = { en: new Intl.NumberFormat("en"), de: new Intl.NumberFormat("de") };

/** The language of the page: on the server of the request, in the browser of the document. Not to be asked on import. */
export const language = (): Locale => getLocale();

/** A number as people write it: 1,234 or 1.234. */
export const formatNumber = (value: number): string => numbers[getLocale()].format(value);

/** A day in UTC, as the server writes it: 22 Nov 2026 or 22. Nov. 2026. */
export const formatDay = (at: Date): string => dayText(at.getTime(), getLocale(), "UTC");

/** A text from the database in the page's language; English where nobody has translated it. */
export const localText = (text: { en: string; de?: string | undefined }): string => text[getLocale()] || text.en;

/** An address of the site ("/dashboard") in the page's language. */
export const here = (path: string): string => addressIn(getLocale(), path);
