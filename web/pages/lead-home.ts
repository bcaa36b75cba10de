// Redirects page requests and forms at another address to the site's, and warns the operator if SITE_URL seems wrong.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import type { Context, MiddlewareHandler } from "hono";
import type { Logger } from "pino";
import { typedInBody } from "../forms/typed-fields.ts";
import { whereFrom } from "../request/cross-site.ts";
import { bodyOf } from "../request/limited-body.ts";
import { isLoopbackName, type SiteAddresses } from "../request/site-addresses.ts";
import type { Refusals } from "./refusals.ts";

/** Marks the address of a redirected visitor: they are never redirected again, whatever a proxy makes of their Host. */
const LED_HERE = "led-here";
const FILE = /^[^?]*\.\w+(?:\?|$)/;
const MOST_ALIASES = 100;
const SAID_AGAIN_MS = 10 * 60_000;

/** `isBeside`: whether a path is answered outside the pages, for programs or pages' scripts: it is, at any address. */
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
  /** Hosts that a proxy sends for requests to SITE_URL: these requests need no redirect. */
  const aliases = new Set<string>();

  /** Finds where a page request belongs; null: here; "stranger": the requested address is unknown, so no page is shown there. */
  function homeOf(request: IncomingMessage): { to: string } | "stranger" | null {
    const url = request.url ?? "/";
    if (request.method !== "GET" || !isDocument(request) || FILE.test(url)) return null;
    const asked = addresses.of(request);
    if (asked === null || asked.own) return null;
    const [path = "/", query = ""] = url.split(/\?(.*)/s, 2);
    if (isBeside(path)) return null;
    if (addresses.any) return "stranger";
    if (aliases.has(asked.host)) return null;
    // Redirecting from outside to a loopback address would lead to the visitor's own machine.
    if (isLoopbackName(siteHost) && !isLoopbackName(new URL(asked.origin).hostname)) return null;
    // A trusted proxy did not pass on the host: what the browser requested is unknown.
    const { "x-forwarded-for": by, "x-forwarded-host": name } = request.headers;
    if (trustProxy > 0 && by !== undefined && name === undefined) return null;
    if (new URLSearchParams(query).has(LED_HERE)) {
      if (aliases.size < MOST_ALIASES) aliases.add(asked.host);
      return null;
    }
    return { to: `${addresses.siteUrl}${path}?${query === "" ? "" : `${query}&`}${LED_HERE}` };
  }

  return {
    /** Answers a page request at a wrong address; false: it is right. */
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
     * Middleware: refuses changes on behalf of another site. At a wrong address it shows people the form values that they sent.
     * `limitAt`: the step that reads the form of a path.
     */
    forms: (limitAt: (pathname: string) => MiddlewareHandler): MiddlewareHandler<{ Bindings: HttpBindings }> =>
      async function leadForms(c: Context<{ Bindings: HttpBindings }>, next) {
        const from = whereFrom(c.env.incoming, addresses);
        if (from === "own") return next();
        // The sent values are not shown: another site may have written them.
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

/** Checks whether a browser requests a page for its window. Without fetch metadata, text/html decides: no program requests it. */
function isDocument({ headers }: IncomingMessage): boolean {
  const mode = headers["sec-fetch-mode"];
  if (mode !== undefined) return mode === "navigate" && headers["sec-fetch-dest"] === "document";
  return headers.accept?.includes("text/html") ?? false;
}

/** Logs which setting is wrong when requests arrive at an address that is not the site's: occasionally, not for each one. */
export function createAddressWarning(addresses: SiteAddresses, log: Logger): (request: IncomingMessage) => void {
  let saidAt = -Infinity;
  return (request) => {
    // The browser's own Origin comes first: a proxy may have replaced the Host.
    const claimed = URL.parse(request.headers.origin ?? "")?.origin;
    const asked = claimed && claimed !== "null" ? claimed : addresses.of(request)?.origin;
    if (asked === undefined || asked.length > 260 || performance.now() - saidAt < SAID_AGAIN_MS) return;
    // A client on this machine, of a site that others reach by its name: no problem.
    if (!addresses.any && isLoopbackName(new URL(asked).hostname)) return;
    saidAt = performance.now();
    const is = addresses.any ? "not set" : addresses.siteUrl;
    log.warn(
      { setting: "SITE_URL", is, asked },
      `somebody asked at ${asked}, but SITE_URL is ${is}: forms are refused there. If people reach the site at that address, set SITE_URL=${asked}`,
    );
  };
}
