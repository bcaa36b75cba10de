// Prepares a news article for its pages, in the reader's language if there is one.
import { summaryOf } from "#domain/news/markdown.ts";
import type { ShownNews } from "#domain/news/news.ts";
import { readerText } from "#domain/news/reader-text.ts";
import type { SiteSnapshot } from "#web/pages/site-snapshot.ts";
import { language } from "../../../language.ts";

/** `lang`: its language if not the page's. */
export type ShownArticle = ReturnType<typeof showArticle>;

/** Adds names and addresses of its games and game servers. */
export function showArticle(site: SiteSnapshot, one: ShownNews) {
  const { lang, title, text } = readerText(one, language());
  const { about } = one;
  return {
    path: `/news/${one.slug}`,
    title,
    summary: summaryOf(text),
    lang: lang === language() ? undefined : lang,
    at: one.starts_at,
    changed_at: one.updated_at > one.starts_at ? one.updated_at : one.starts_at,
    until: one.ends_at,
    pinned: one.pinned && one.holds,
    about:
      about === null
        ? []
        : [
            ...site.games
              .filter(({ game_slug }) => about.games.includes(game_slug))
              .map(({ game_slug, game_name }) => ({ to: `/games/${game_slug}`, name: game_name })),
            ...site.gameServers
              .filter(({ server_id }) => about.server_ids.includes(server_id))
              .map(({ server_id, server_name }) => ({ to: `/servers/${server_id}`, name: server_name })),
          ],
  };
}
