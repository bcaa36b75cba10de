// Serves the files that programs expect at fixed addresses, from what visitors may see, without the database.
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { answerBare } from "../messages.ts";
import type { Address } from "../pages/route-facts.ts";
import type { SiteOfRequest, SiteSnapshot } from "../pages/site-snapshot.ts";
import { namesTag, tagOf } from "../request/etag.ts";
import { webManifest } from "./manifest.ts";
import { robots } from "./robots.ts";
import { securityTxt } from "./security-txt.ts";
import { sitemap } from "./sitemap.ts";

type Made = { body: string; etag: string };

const tagged = (body: string): Made => ({ body, etag: tagOf(body) });

/** The number of origins whose sitemap is cached: with thousands of game servers it takes a megabyte. */
const MOST_KEPT = 4;

/** `site` reads what visitors may see; `addresses` are those of all pages; `siteUrl` is the site's own. */
export function wellKnownEndpoint(site: SiteOfRequest, addresses: Address[], siteUrl: string) {
  let kept: { catalog: string; made: Map<string, Made> } = { catalog: "", made: new Map() };

  /** Cached until the content changes, because making it takes a while. The site's own address always has room. */
  function sitemapOf(snapshot: SiteSnapshot, isKept: boolean): Made {
    if (kept.catalog !== snapshot.catalog) kept = { catalog: snapshot.catalog, made: new Map() };
    const found = kept.made.get(snapshot.site_url);
    if (found) return found;
    const made = tagged(sitemap(snapshot, addresses));
    if (isKept && (kept.made.size < MOST_KEPT || snapshot.site_url === siteUrl)) kept.made.set(snapshot.site_url, made);
    return made;
  }

  const endpoint = new Hono<{ Bindings: HttpBindings }>();
  endpoint.get("/sitemap.xml", (c) => {
    const { incoming } = c.env;
    return answer(c, "application/xml; charset=utf-8", sitemapOf(site.readFor(incoming), site.keepsFor(incoming)));
  });
  endpoint.get("/robots.txt", (c) =>
    answer(c, "text/plain; charset=utf-8", tagged(robots(site.readFor(c.env.incoming).site_url, addresses))),
  );
  endpoint.get("/manifest.webmanifest", (c) =>
    answer(
      c,
      "application/manifest+json",
      tagged(JSON.stringify(webManifest(site.readFor(c.env.incoming).settings.site_name))),
    ),
  );
  endpoint.get("/.well-known/security.txt", (c) => {
    const { settings, site_url } = site.readFor(c.env.incoming);
    const text = securityTxt({ contact_email: settings.contact_email, site_url }, Date.now());
    if (text !== null) return answer(c, "text/plain; charset=utf-8", tagged(text));
    return answerBare(c, "bare_no_security_contact", 404);
  });
  return endpoint;
}

/** Revalidated each time, and sent again only after a change: hidden content disappears at once. */
function answer(c: Context, type: string, { body, etag }: Made): Response {
  const headers = { "Cache-Control": "no-cache", ETag: etag };
  if (namesTag(c.req.header("If-None-Match"), etag)) return c.body(null, 304, headers);
  return c.body(body, 200, { ...headers, "Content-Type": type });
}
