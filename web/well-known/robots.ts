// What search engines leave alone: areas of single people, pages that only a link from a mail opens, and the addresses of programs.

const CLOSED = [
  "/admin",
  "/user/",
  "/logout",
  "/verify-email",
  "/reset-password",
  "/two-factor",
  "/confirm-email-change",
  "/setup/",
  "/keep-account",
];
const PROGRAMS = ["/api/", "/live"];

/** /robots.txt (RFC 9309) of the site at this address. */
export function robots(siteUrl: string): string {
  const lines = [...CLOSED, ...CLOSED.map((path) => `/de${path}`), ...PROGRAMS].map((path) => `Disallow: ${path}`);
  return `User-agent: *\n${lines.join("\n")}\n\nSitemap: ${new URL("/sitemap.xml", siteUrl).href}\n`;
}
