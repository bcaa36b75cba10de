// Refuses requests that would change something on behalf of another site: Sec-Fetch-Site first, then Origin.
import type { MiddlewareHandler } from "hono";
import type { Refusals } from "./refusals.ts";

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * The middleware. A request with neither header is no browser's (every current one sends them on unsafe methods), so it
 * carries no visitor's cookie against their will, and passes.
 */
export function refuseCrossSite(siteUrl: string, refusals: Refusals): MiddlewareHandler {
  return async (c, next) => {
    if (SAFE.has(c.req.method)) return next();
    const site = c.req.header("Sec-Fetch-Site");
    const origin = c.req.header("Origin");
    const own = site ? site === "same-origin" || site === "none" : !origin || origin === siteUrl;
    // Nothing of what was sent is shown again: another site may have written it.
    if (!own) return refusals.answer(c.req.raw, "cross_site");
    await next();
  };
}
