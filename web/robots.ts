// What search engines leave alone: areas of single people, forms that lead to them, and the addresses of programs.

const CLOSED = [
  "/admin",
  "/user/",
  "/login",
  "/logout",
  "/verify-email",
  "/forgot-password",
  "/reset-password",
  "/two-factor",
  "/sign-in-code",
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
