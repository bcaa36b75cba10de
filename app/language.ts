// Formats for the page's language: numbers, texts from the database, and addresses.

import { addressIn, type Locale } from "#shared/locale.ts";
import { dayText } from "#shared/text/date-text.ts";
import { getLocale } from "./paraglide/runtime.js";

const numbers = { en: new Intl.NumberFormat("en"), de: new Intl.NumberFormat("de") };

/** Language of the page: the request's on the server, the document's in the browser. Not available during import. */
export const language = (): Locale => getLocale();

/** Formats a number: 1,234 or 1.234. */
export const formatNumber = (value: number): string => numbers[getLocale()].format(value);

/** Formats a day in UTC, as the server does: 22 Nov 2026 or 22. Nov. 2026. */
export const formatDay = (at: Date): string => dayText(at.getTime(), getLocale(), "UTC");

/** Picks a database text in the page's language; falls back to English. */
export const localText = (text: { en: string; de?: string | undefined }): string => text[getLocale()] || text.en;

/** Puts an address of the site ("/dashboard") into the page's language. */
export const here = (path: string): string => addressIn(getLocale(), path);
