// Lists every page that search engines may show, each with its twin in the other language.

import { type Locale, twinOf } from "#shared/locale.ts";
import { escapeHtml } from "#shared/text/escape-html.ts";
import { type Address, listedPages } from "../pages/route-facts.ts";
import type { SiteSnapshot } from "../pages/site-snapshot.ts";

const LANGUAGES: Locale[] = ["en", "de"];

/**
 * Makes /sitemap.xml (sitemaps.org, with the alternates of Google's "localized versions") from a snapshot: pass the one
 * for visitors. Gives a page's last change only if known.
 */
export function sitemap(
  site: Pick<SiteSnapshot, "games" | "gameServers" | "news" | "site_url">,
  addresses: Address[],
): string {
  const pages = addresses.flatMap((address) => listedPages(address, site));
  const address = (path: string, locale: Locale) => escapeHtml(new URL(twinOf(path, locale), site.site_url).href);
  const entries = pages.flatMap(({ path, changed }) => {
    const link = (lang: string, locale: Locale) =>
      `<xhtml:link rel="alternate" hreflang="${lang}" href="${address(path, locale)}"/>`;
    const links = [...LANGUAGES.map((locale) => link(locale, locale)), link("x-default", "en")].join("");
    const lastmod = changed ? `<lastmod>${changed}</lastmod>` : "";
    return LANGUAGES.map((locale) => `<url><loc>${address(path, locale)}</loc>${lastmod}${links}</url>\n`);
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n',
    ...entries,
    "</urlset>\n",
  ].join("");
}
