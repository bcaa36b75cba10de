// Finds the language of an address, and the address of the same page in the other one.

export type Locale = "en" | "de";

/** German lives under /de; everything else is English. Also for the addresses that client navigation fetches data from. */
export const localeAt = (pathname: string): Locale => (/^\/de(?:\/|\.data$|$)/.test(pathname) ? "de" : "en");

/** Gets an address of the site in a language; one that is already German stays unchanged. */
export function addressIn(locale: Locale, path: string): string {
  if (locale === "en" || !path.startsWith("/") || /^\/de(?:[/?#]|$)/.test(path)) return path;
  return path === "/" ? "/de" : `/de${path}`;
}

/** Gets the address of the same page in a language, whichever the given one is in. */
export function twinOf(pathname: string, locale: Locale): string {
  return addressIn(locale, localeAt(pathname) === "de" ? pathname.slice(3) || "/" : pathname);
}
