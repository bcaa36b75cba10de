// Makes the file that says where to report a vulnerability.

const VALID_DAYS = 180;
const DAY_MS = 24 * 3600_000;

/**
 * /.well-known/security.txt (RFC 9116) as of `now` in ms; null until the operator has set a contact address. It expires
 * within a year, as the RFC requires, and is renewed each day.
 */
export function securityTxt(site: { contact_email: string; site_url: string }, now: number): string | null {
  if (site.contact_email === "") return null;
  const expires = new Date(Math.floor(now / DAY_MS) * DAY_MS + VALID_DAYS * DAY_MS);
  return [
    `Contact: mailto:${encodeURI(site.contact_email)}`,
    `Contact: ${new URL("/contact", site.site_url).href}`,
    `Expires: ${expires.toISOString()}`,
    "Preferred-Languages: en, de",
    `Canonical: ${new URL("/.well-known/security.txt", site.site_url).href}`,
    "",
  ].join("\n");
}
