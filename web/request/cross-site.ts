// Refuses unsafe requests from another site or at an address that is not the site's: checks Sec-Fetch-Site first, then
// Origin.
import type { IncomingMessage } from "node:http";
import type { SiteAddresses } from "./site-addresses.ts";

const SAFE = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);

/**
 * `own`: from a page of this site. `cross_site`: from another site. `elsewhere`: from the requested address itself, which is
 * not the site's: an unknown name for this machine, or a proxy in front of a site with another SITE_URL.
 */
export type ComesFrom = "own" | "cross_site" | "elsewhere";

/**
 * Finds where an unsafe request comes from. One with neither header is no browser's (every current one sends them on unsafe
 * methods), so it carries no visitor's cookie against their will, and passes.
 */
export function whereFrom(request: IncomingMessage, addresses: SiteAddresses): ComesFrom {
  if (SAFE.has(request.method ?? "")) return "own";
  const { origin } = request.headers;
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return "cross_site";
  const asked = addresses.of(request);
  if (origin === undefined) return site === undefined || asked?.own || !addresses.any ? "own" : "elsewhere";
  if (origin === "null") return "cross_site";
  // A name that resolves to this machine is not enough: its owner may have pointed it here just now (DNS rebinding).
  const own = addresses.any ? asked?.own === true && origin === asked.origin : origin === addresses.siteUrl;
  if (own) return "own";
  return site !== undefined || hostOf(origin) === asked?.host ? "elsewhere" : "cross_site";
}

const hostOf = (origin: string): string | undefined => URL.parse(origin)?.host;
