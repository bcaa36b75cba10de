// Which language an address is in, and the address of the same page in the other one.

export type Spoken = "en" | "de";

/** German lives under /de; everything else is English. Also for the addresses that client navigation fetches data from. */
export const spokenAt = (pathname: string): Spoken => (/^\/de(?:\/|\.data$|$)/.test(pathname) ? "de" : "en");

/** An address of the site in a language; one that is in German already stays what it is. */
export function addressIn(spoken: Spoken, path: string): string {
  if (spoken === "en" || !path.startsWith("/") || /^\/de(?:[/?#]|$)/.test(path)) return path;
  return path === "/" ? "/de" : `/de${path}`;
}

/** The address of the same page in a language, whichever the given one is in. */
export function twinOf(pathname: string, spoken: Spoken): string {
  return addressIn(spoken, spokenAt(pathname) === "de" ? pathname.slice(3) || "/" : pathname);
}
