// The list of every page that search engines may show, each with its twin in the other language.
import { type Spoken, twinOf } from "#shared/spoken.ts";
import { type Address, listedPages } from "../pages/route-facts.ts";
import type { SiteSnapshot } from "../pages/site-snapshot.ts";

const LANGUAGES: Spoken[] = ["en", "de"];

/**
 * /sitemap.xml (sitemaps.org, with the alternates of Google's "localized versions") of what a snapshot shows: give it the
 * one for visitors. A page says when it last changed only where that is known.
 */
export function sitemap(site: Pick<SiteSnapshot, "games" | "gameServers" | "site_url">, addresses: Address[]): string {
  const pages = addresses.flatMap((address) => listedPages(address, site));
  const address = (path: string, spoken: Spoken) => escapeXml(new URL(twinOf(path, spoken), site.site_url).href);
  const entries = pages.flatMap(({ path, changed }) => {
    const link = (lang: string, spoken: Spoken) =>
      `<xhtml:link rel="alternate" hreflang="${lang}" href="${address(path, spoken)}"/>`;
    const links = [...LANGUAGES.map((spoken) => link(spoken, spoken)), link("x-default", "en")].join("");
    const lastmod = changed ? `<lastmod>${changed}</lastmod>` : "";
    return LANGUAGES.map((spoken) => `<url><loc>${address(path, spoken)}</loc>${lastmod}${links}</url>\n`);
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n',
    ...entries,
    "</urlset>\n",
  ].join("");
}

function escapeXml(text: string): string {
  return text.replace(/[<>&'"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
