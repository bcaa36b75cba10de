// Describes pages to search engines (schema.org as JSON-LD). Built by loaders: browsers don't use it.

import type { Game } from "#domain/games/games.ts";
import type { ShownStatus } from "#shared/statuses.ts";
import type { SiteSnapshot } from "#web/pages/site-snapshot.ts";
import { here, language } from "./language.ts";

/** A thing of schema.org; React Router escapes it so that no text can end its script. */
export type Thing = { [property: string]: string | number | Thing | Thing[] | string[] };

type Site = Pick<SiteSnapshot, "site_url" | "settings">;

/** Builds the full URL of a site address ("/dashboard") in the page's language. */
const absolute = (site: Pick<SiteSnapshot, "site_url">, path: string): string =>
  new URL(here(path), site.site_url).href;

/** Joins a page's things for its head. */
export const graphOf = (...things: Thing[]): Thing => ({ "@context": "https://schema.org", "@graph": things });

/** The operator and the site. */
export function siteThings(site: Site): Thing[] {
  const organization = new URL("/#organization", site.site_url).href;
  const { site_name, discord_url } = site.settings;
  return [
    {
      "@type": "Organization",
      "@id": organization,
      name: site_name,
      url: new URL("/", site.site_url).href,
      logo: new URL("/icon-512.png", site.site_url).href,
      ...(discord_url ? { sameAs: [discord_url] } : {}),
    },
    {
      "@type": "WebSite",
      "@id": new URL("/#website", site.site_url).href,
      name: site_name,
      url: absolute(site, "/"),
      inLanguage: language(),
      publisher: { "@id": organization },
    },
  ];
}

/** Builds the path from the home page: names and paths, the page itself last. */
export function breadcrumbs(site: Site, way: { name: string; path: string }[]): Thing {
  return {
    "@type": "BreadcrumbList",
    itemListElement: [{ name: site.settings.site_name, path: "/" }, ...way].map(({ name, path }, index) => ({
      "@type": "ListItem",
      position: index + 1,
      name,
      item: absolute(site, path),
    })),
  };
}

/** Describes a news article. `lang`: its language if not the page's; times are ISO texts. */
export function articleThing(
  site: Site,
  article: { title: string; summary: string; lang: string | undefined; path: string; at: string; changed_at: string },
): Thing {
  return {
    "@type": "NewsArticle",
    headline: article.title,
    ...(article.summary ? { description: article.summary } : {}),
    inLanguage: article.lang ?? language(),
    datePublished: article.at,
    dateModified: article.changed_at,
    url: absolute(site, article.path),
    mainEntityOfPage: absolute(site, article.path),
    image: new URL(`/og/${language()}/site.jpg`, site.site_url).href,
    author: { "@type": "Organization", name: site.settings.site_name, url: absolute(site, "/") },
    publisher: { "@type": "Organization", name: site.settings.site_name, url: absolute(site, "/") },
  };
}

/** States that schema.org has a word for; unverified ones are left out. */
const STATUS = {
  online: "Online",
  maintenance: "OfflineTemporarily",
  offline: "OfflineTemporarily",
  inactive: "OfflinePermanently",
  degraded: null,
  unknown: null,
} as const satisfies Record<ShownStatus, string | null>;
const UNMEASURED = { status: "unknown", user_online: null, user_max: null } as const;

/** Describes a game server as last measured. Players come from a confirmed answer: unknown is left out, never 0. */
export function gameServerThing(
  site: Site & Pick<SiteSnapshot, "rowOf">,
  server: { server_id: number; server_name: string; description: string | null },
  game: Pick<Game, "game_slug" | "game_name">,
): Thing {
  const row = site.rowOf(server.server_id);
  const { status, user_online: online, user_max: max } = row ?? UNMEASURED;
  const full = status === "online" && online !== null && max !== null && max > 0 && online >= max;
  const word = full ? "OnlineFull" : STATUS[status];
  return {
    "@type": "GameServer",
    name: server.server_name,
    ...(server.description ? { description: server.description } : {}),
    url: absolute(site, `/servers/${server.server_id}`),
    game: { "@type": "VideoGame", name: game.game_name, url: absolute(site, `/games/${game.game_slug}`) },
    ...(word ? { serverStatus: `https://schema.org/${word}` } : {}),
    ...(status === "online" && online !== null ? { playersOnline: online } : {}),
  };
}
