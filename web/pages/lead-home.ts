// Leads whoever asks for a page, or sends a form, at another address to where the site lives, and tells the operator of a SITE_URL
// that nobody uses.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import type { Context, MiddlewareHandler } from "hono";
import type { Logger } from "pino";
import { typedInBody } from "../forms/typed-fields.ts";
import { whereFrom } from "../request/cross-site.ts";
import { bodyOf } from "../request/limited-body.ts";
import { isLoopbackName, type SiteAddresses } from "../request/site-addresses.ts";
import type { Refusals } from "./refusals.ts";

/** Stands in the address of whoever was led here once: they are never led on again, whatever a proxy makes of their Host. */
const LED_HERE = "led-here";
const FILE = /^[^?]*\.\w+(?:\?|$)/;
const MOST_ALIASES = 100;
const SAID_AGAIN_MS = 10 * 60_000;

/** `isBeside`: whether a path is answered beside the pages, for programs or for pages themselves: that is so at any address. */
export function createLeadHome(options: {
  addresses: SiteAddresses;
  isBeside: (pathname: string) => boolean;
  trustProxy: number;
  refusals: Refusals;
  headers: Record<string, string>;
  log: Logger;
}) {
  const { addresses, isBeside, trustProxy, refusals, headers } = options;
  const warn = createAddressWarning(addresses, options.log);
  const siteHost = new URL(addresses.siteUrl).hostname;
  /** Hosts under which a proxy passes on what was asked for at SITE_URL: those who come so are at home. */
  const aliases = new Set<string>();

  /** Where a request for a page belongs; "stranger": nothing is known of the address that was asked, so no page is shown there. */
  function homeOf(request: IncomingMessage): { to: string } | "stranger" | null {
    const url = request.url ?? "/";
    if (request.method !== "GET" || !isDocument(request) || FILE.test(url)) return null;
    const asked = addresses.of(request);
    if (asked === null || asked.own) return null;
    const [path = "/", query = ""] = url.split(/\?(.*)/s, 2);
    if (isBeside(path)) return null;
    if (addresses.any) return "stranger";
    if (aliases.has(asked.host)) return null;
    // Nobody else's machine is ours: from outside, this address would lead to the visitor's own.
    if (isLoopbackName(siteHost) && !isLoopbackName(new URL(asked.origin).hostname)) return null;
    // A proxy that we believe came between and kept the name to itself: it says nothing of what the browser asked for.
    const { "x-forwarded-for": by, "x-forwarded-host": name } = request.headers;
    if (trustProxy > 0 && by !== undefined && name === undefined) return null;
    if (new URLSearchParams(query).has(LED_HERE)) {
      if (aliases.size < MOST_ALIASES) aliases.add(asked.host);
      return null;
    }
    return { to: `${addresses.siteUrl}${path}?${query === "" ? "" : `${query}&`}${LED_HERE}` };
  }

  return {
    /** Answers who asks for a page elsewhere; false: they are at home. */
    page(request: IncomingMessage, response: ServerResponse): boolean {
      const home = homeOf(request);
      if (home === null) return false;
      if (home === "stranger") {
        warn(request);
        refusals.send(request, response, "elsewhere", { home: addresses.homeFor(request) + request.url });
      } else {
        response
          .writeHead(302, { ...headers, Location: home.to, "Cache-Control": "no-store", "Content-Length": 0 })
          .end();
      }
      return true;
    },
    /**
     * The step that lets nothing be changed on behalf of another site, or at another address, where who sent a form is shown
     * what they typed. `limitAt`: the step that reads the form of a path.
     */
    forms: (limitAt: (pathname: string) => MiddlewareHandler): MiddlewareHandler<{ Bindings: HttpBindings }> =>
      async function leadForms(c: Context<{ Bindings: HttpBindings }>, next) {
        const from = whereFrom(c.env.incoming, addresses);
        if (from === "own") return next();
        // Nothing of what was sent is shown again: another site may have written it.
        if (from === "cross_site") return refusals.answer(c.req.raw, "cross_site");
        warn(c.env.incoming);
        const home = addresses.homeFor(c.env.incoming) + c.req.path;
        let refusal: Response | undefined;
        const leadElsewhere = async () => {
          const typed = typedInBody(c.req.header("Content-Type"), bodyOf(c));
          refusal = await refusals.answer(c.req.raw, "elsewhere", { home, typed });
        };
        const read = isBeside(c.req.path) ? leadElsewhere() : limitAt(c.req.path)(c, leadElsewhere);
        return (await read) ?? refusal;
      },
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
