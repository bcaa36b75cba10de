// Lists the feeds for a page's head: the site's, and that of the game or game server it shows.
import type { SiteSnapshot } from "#web/pages/site-snapshot.ts";
import { here } from "../../language.ts";

/** Empty while there are no news. `path`: with or without its language. */
export function feedLinks(site: SiteSnapshot, path: string): { href: string; title: string }[] {
  if (site.news.length === 0) return [];
  const { site_name } = site.settings;
  const [, at = "", area, id = ""] = /^(?:\/de)?(\/(games|servers)\/([^/]+))\/?$/.exec(path) ?? [];
  const name =
    area === "games"
      ? site.games.find(({ game_slug }) => game_slug === id)?.game_name
      : site.gameServers.find(({ server_id, visibility }) => visibility === "public" && String(server_id) === id)
          ?.server_name;
  return [
    { href: here("/feed.atom"), title: site_name },
    ...(name === undefined ? [] : [{ href: here(`${at}/feed.atom`), title: `${name} – ${site_name}` }]),
  ];
}
