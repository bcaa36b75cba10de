// Excludes from search engines: members' areas, pages that only a link from a mail opens, and addresses for programs.
import { addressIn } from "#shared/locale.ts";
import { LIVE_PATH } from "../live/endpoint.ts";
import type { Address } from "../pages/route-facts.ts";
import { PROGRAMS } from "../request/program-paths.ts";

const NOT_PAGES = [PROGRAMS, LIVE_PATH];

/** Makes /robots.txt (RFC 9309) of the site at this address. */
export function robots(siteUrl: string, addresses: Address[]): string {
  const begins = new Set(
    addresses.filter(({ facts }) => facts.robots === false).map(({ pattern }) => pattern.replace(/[:*].*/, "")),
  );
  // A line excludes everything that begins like it.
  const closed = [...begins].filter((path) => ![...begins].some((one) => one !== path && path.startsWith(one)));
  const lines = [...closed, ...closed.map((path) => addressIn("de", path)), ...NOT_PAGES].map(
    (path) => `Disallow: ${path}`,
  );
  return `User-agent: *\n${lines.join("\n")}\n\nSitemap: ${new URL("/sitemap.xml", siteUrl).href}\n`;
}
