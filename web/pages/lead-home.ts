// Leads whoever asks for a page at another address to where the site lives, and tells the operator of a SITE_URL that nobody uses.
import type { IncomingMessage } from "node:http";
import type { Logger } from "pino";
import { isLoopbackName, type SiteAddresses } from "../request/site-addresses.ts";

/** Stands in the address of whoever was led here once: they are never led on again, whatever a proxy makes of their Host. */
const LED_HERE = "led-here";
/** What programs, supervisors and pages themselves ask for: it is answered at any address. */
const NO_DOCUMENT =
  /^\/(?:livez|readyz|live|metrics|api|assets|avatars|media|og|\.well-known)(?:[/?]|$)|^[^?]*\.\w+(?:\?|$)/;
const MOST_ALIASES = 100;
const SAID_AGAIN_MS = 10 * 60_000;

/** `to`: another address. `stranger`: nothing is known of the one that was asked, and no page is shown there. */
export type Lead = { to: string } | "stranger" | null;

/** @returns what becomes of a request for a page at an address that is not the site's; null: it is answered where it is. */
export function createLeadHome(addresses: SiteAddresses, trustProxy: number): (request: IncomingMessage) => Lead {
  const siteHost = new URL(addresses.siteUrl).hostname;
  /** Hosts under which a proxy passes on what was asked for at SITE_URL: those who come so are at home. */
  const aliases = new Set<string>();
  return (request) => {
    const url = request.url ?? "/";
    if (request.method !== "GET" || !isDocument(request) || NO_DOCUMENT.test(url)) return null;
    const asked = addresses.of(request);
    if (asked === null || asked.own) return null;
    if (addresses.any) return "stranger";
    if (aliases.has(asked.host)) return null;
    // Nobody else's machine is ours: from outside, this address would lead to the visitor's own.
    if (isLoopbackName(siteHost) && !isLoopbackName(new URL(asked.origin).hostname)) return null;
    const { headers } = request;
    // A proxy that we believe came between and kept the name to itself: it says nothing of what the browser asked for.
    if (trustProxy > 0 && headers["x-forwarded-for"] !== undefined && headers["x-forwarded-host"] === undefined)
      return null;
    const [path = "/", query = ""] = url.split(/\?(.*)/s, 2);
    if (new URLSearchParams(query).has(LED_HERE)) {
      if (aliases.size < MOST_ALIASES) aliases.add(asked.host);
      return null;
    }
    return { to: `${addresses.siteUrl}${path}?${query === "" ? "" : `${query}&`}${LED_HERE}` };
  };
}

/** Whether a browser asks for a page to show in its window. Where it says nothing of that, no program asks for text/html. */
function isDocument({ headers }: IncomingMessage): boolean {
  const mode = headers["sec-fetch-mode"];
  if (mode !== undefined) return mode === "navigate" && headers["sec-fetch-dest"] === "document";
  return headers.accept?.includes("text/html") ?? false;
}

/** Says once in a while, not with each request, which setting is wrong where people ask at an address that is not the site's. */
export function createAddressWarning(addresses: SiteAddresses, log: Logger): (request: IncomingMessage) => void {
  let saidAt = -Infinity;
  return (request) => {
    // What the browser itself says of where it is comes first: a proxy may have put another Host in its place.
    const claimed = URL.parse(request.headers.origin ?? "")?.origin;
    const asked = claimed && claimed !== "null" ? claimed : addresses.of(request)?.origin;
    if (asked === undefined || asked.length > 260 || performance.now() - saidAt < SAID_AGAIN_MS) return;
    // Somebody on this machine, beside a site that others reach by its name: nothing is wrong with that.
    if (!addresses.any && isLoopbackName(new URL(asked).hostname)) return;
    saidAt = performance.now();
    const is = addresses.any ? "not set" : addresses.siteUrl;
    log.warn(
      { setting: "SITE_URL", is, asked },
      `somebody asked at ${asked}, but SITE_URL is ${is}: forms are refused there. If people reach the site at that address, set SITE_URL=${asked}`,
    );
  };
}
