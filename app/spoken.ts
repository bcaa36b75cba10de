// Which language a page is in: its address says so.

export type Spoken = "en" | "de";

/** German lives under /de; everything else is English. */
export const spokenAt = (pathname: string): Spoken => (/^\/de(?:\/|$)/.test(pathname) ? "de" : "en");

/** An address of the site in a language. */
export const addressIn = (spoken: Spoken, path: string): string => (spoken === "de" ? `/de${path}` : path);
