// The files that programs look for at fixed addresses: made of what visitors may see, without the database.
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { answerBare } from "../messages.ts";
import type { Address } from "../pages/route-facts.ts";
import type { SiteOfRequest } from "../pages/site-snapshot.ts";
import { namesTag, tagOf } from "../request/etag.ts";
import { webManifest } from "./manifest.ts";
import { robots } from "./robots.ts";
import { securityTxt } from "./security-txt.ts";
import { sitemap } from "./sitemap.ts";

/** `site` reads what visitors may see; `addresses` are those of all pages. */
export function wellKnownEndpoint(site: SiteOfRequest, addresses: Address[]) {
  const endpoint = new Hono<{ Bindings: HttpBindings }>();
  endpoint.get("/sitemap.xml", (c) =>
    answer(c, "application/xml; charset=utf-8", sitemap(site.readFor(c.env.incoming), addresses)),
  );
  endpoint.get("/robots.txt", (c) =>
    answer(c, "text/plain; charset=utf-8", robots(site.readFor(c.env.incoming).site_url, addresses)),
  );
  endpoint.get("/manifest.webmanifest", (c) =>
    answer(
      c,
      "application/manifest+json",
      JSON.stringify(webManifest(site.readFor(c.env.incoming).settings.site_name)),
    ),
  );
  endpoint.get("/.well-known/security.txt", (c) => {
    const { settings, site_url } = site.readFor(c.env.incoming);
    const text = securityTxt({ contact_email: settings.contact_email, site_url }, Date.now());
    if (text !== null) return answer(c, "text/plain; charset=utf-8", text);
    return answerBare(c, "bare_no_security_contact", 404);
  });
  return endpoint;
}

/** Asked again each time, and sent again only after a change: what was hidden is gone at once. */
function answer(c: Context, type: string, body: string): Response {
  const etag = tagOf(body);
  const headers = { "Cache-Control": "no-cache", ETag: etag };
  if (namesTag(c.req.header("If-None-Match"), etag)) return c.body(null, 304, headers);
  return c.body(body, 200, { ...headers, "Content-Type": type });
}
