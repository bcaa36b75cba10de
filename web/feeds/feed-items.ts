// Lists the entries of feeds: of the whole site, of a game, of a game server, as far as visitors may see them.
import { renderNewsText, summaryOf } from "#domain/news/markdown.ts";
import { readerText } from "#domain/news/reader-text.ts";
import type { Locale } from "#shared/locale.ts";
import type { SiteSnapshot } from "../pages/site-snapshot.ts";
import type { Scope } from "./scope.ts";
import { incidentEntries, planEntries } from "./status-entries.ts";

/** One entry. Times are ISO texts. */
export type FeedItem = {
  /** Its page, an English address of the site: feed readers identify it by this, so it is stable. `hash`: a place on the page. */
  path: string;
  hash?: string;
  /** Plain text. */
  title: string;
  summary: string;
  /** Clean HTML; its links include the host. */
  html: string;
  lang: Locale;
  published_at: string;
  updated_at: string;
};

/** The most entries of a feed. */
const MOST = 50;

/** The sources of entries. */
const SOURCES: ((site: SiteSnapshot, scope: Scope, locale: Locale) => FeedItem[])[] = [
  newsEntries,
  incidentEntries,
  planEntries,
];

/** Lists the entries of a feed, the newest first. Pass the snapshot for visitors: anyone's programs read feeds. */
export function listFeedItems(site: SiteSnapshot, scope: Scope, locale: Locale): FeedItem[] {
  return SOURCES.flatMap((source) => source(site, scope, locale))
    .sort((one, other) => Date.parse(other.published_at) - Date.parse(one.published_at))
    .slice(0, MOST);
}

/** The feed of a game includes its game servers' news; that of a game server includes its game's. */
function newsEntries(site: SiteSnapshot, scope: Scope, locale: Locale): FeedItem[] {
  const ofGame = (slug: string) =>
    new Set(site.gameServers.filter(({ game_slug }) => game_slug === slug).map(({ server_id }) => server_id));
  const servers = scope.of === "game" ? ofGame(scope.slug) : new Set(scope.of === "server" ? [scope.server_id] : []);
  return site.news
    .filter(({ about }) => {
      if (scope.of === "site" || about === null) return true;
      const slug = scope.of === "game" ? scope.slug : scope.game_slug;
      return about.games.includes(slug) || about.server_ids.some((id) => servers.has(id));
    })
    .slice(0, MOST)
    .map((one) => {
      const { lang, title, text } = readerText(one, locale);
      return {
        path: `/news/${one.slug}`,
        title,
        summary: summaryOf(text),
        html: rendered(`${one.news_id} ${one.updated_at} ${lang} ${site.site_url}`, () =>
          renderNewsText(text, site.site_url),
        ),
        lang,
        published_at: one.starts_at,
        updated_at: one.updated_at > one.starts_at ? one.updated_at : one.starts_at,
      };
    });
}

/** The same text is in many feeds: each is rendered once; this many are cached. */
const MOST_RENDERED = 500;
const kept = new Map<string, string>();

function rendered(key: string, render: () => string): string {
  const found = kept.get(key);
  if (found !== undefined) return found;
  const made = render();
  if (kept.size >= MOST_RENDERED) kept.clear();
  kept.set(key, made);
  return made;
}
