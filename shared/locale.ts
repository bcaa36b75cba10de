// Which language an address is in, and the address of the same page in the other one.

export type Locale = "en" | "de";

/** German lives under /de; everything else is English. Also for the addresses that client navigation fetches data from. */
export const localeAt = (pathname: string): Locale => (/^\/de(?:\/|\.data$|$)/.test(pathname) ? "de" : "en");

/** An address of the site in a language; one that is in German already stays what it is. */
export function addressIn(locale: Locale, path: string): string {
  if (locale === "en" || !path.startsWith("/") || /^\/de(?:[/?#]|$)/.test(path)) return path;
  return path === "/" ? "/de" : `/de${path}`;
}

/** The address of the same page in a language, whichever the given one is in. */
export function twinOf(pathname: string, locale: Locale): string {
  return addressIn(locale, localeAt(pathname) === "de" ? pathname.slice(3) || "/" : pathname);
}
