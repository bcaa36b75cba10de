// Picks the banner's lines: current news, incidents and plans that concern the page.
import { readerText } from "#domain/news/reader-text.ts";
import { gameServerOf } from "#web/pages/catalog-index.ts";
import type { SiteSnapshot } from "#web/pages/site-snapshot.ts";
import { language } from "../../language.ts";
import type { SiteBannerItem } from "../../ui/site-banner/banner-item.ts";
import { incidentItems, planItems } from "./status/banner-of-status.ts";

/** A page as the banner sees it: home or dashboard, a game, or a game server. */
export type BannerPage =
  | { of: "site" }
  | { of: "game"; slug: string }
  | { of: "server"; server_id: number; game_slug: string };

/** More lines would get in the way of the page. */
const MOST = 3;

/** Sources of items, most urgent first. */
const SOURCES: ((site: SiteSnapshot, page: BannerPage) => SiteBannerItem[])[] = [incidentItems, planItems, newsItems];

/** Returns a page's items, most urgent first; none on pages that nothing concerns. `path`: with or without its language. */
export function bannerItems(site: SiteSnapshot, path: string): SiteBannerItem[] {
  const page = bannerPage(site, path);
  return page === null ? [] : SOURCES.flatMap((source) => source(site, page)).slice(0, MOST);
}

function bannerPage(site: SiteSnapshot, path: string): BannerPage | null {
  const found = /^(?:\/de)?(?:\/(dashboard|games|servers)(?:\/([^/]+))?)?\/?$/.exec(path);
  if (!found) return null;
  const [, area = "", id = ""] = found;
  if (area === "games" && id) return { of: "game", slug: id };
  if (area !== "servers") return { of: "site" };
  const server = gameServerOf(site, Number(id));
  return server ? { of: "server", server_id: server.server_id, game_slug: server.game_slug } : null;
}

/** News about a game also concern its game servers, and news about a game server its game's page. */
function newsItems(site: SiteSnapshot, page: BannerPage): SiteBannerItem[] {
  const gameOf = (id: number) => gameServerOf(site, id)?.game_slug;
  return site.news
    .filter(({ holds, about }) => {
      if (!holds) return false;
      if (about === null) return true;
      if (page.of === "site") return false;
      if (page.of === "game")
        return about.games.includes(page.slug) || about.server_ids.some((id) => gameOf(id) === page.slug);
      return about.games.includes(page.game_slug) || about.server_ids.includes(page.server_id);
    })
    .map((one): SiteBannerItem => {
      const { lang, title } = readerText(one, language());
      return { key: `news-${one.news_id}`, kind: "news", text: title, lang, to: `/news/${one.slug}` };
    });
}
