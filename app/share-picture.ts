// Which picture a link to a page shows where people share it. Made by loaders, because the address needs a host in front.
import type { GameServer } from "#domain/game-servers/game-servers.ts";
import type { Game } from "#domain/games/games.ts";
import type { SiteSnapshot } from "#web/pages/site-snapshot.ts";
import { language } from "./language.ts";
import type { SharePicture } from "./share-tags.ts";

type Site = Pick<SiteSnapshot, "site_url" | "settings">;

/** The picture of the whole site under the operator's name. */
export const sitePicture = (site: Site): SharePicture => ({
  url: new URL(`/og/${language()}/site.jpg`, site.site_url).href,
  alt: site.settings.site_name,
});

/** The picture of a game with its figures, drawn by web/embeds/open-graph.ts. */
export const gameSharePicture = (site: Site, game: Game): SharePicture => ({
  url: new URL(`/og/${language()}/games/${game.game_slug}.jpg`, site.site_url).href,
  alt: `${game.game_name} – ${site.settings.site_name}`,
});

/** The picture of a game server with its figures; of one that not everybody may see, that of its game. */
export function serverSharePicture(site: Site, server: GameServer, game: Game): SharePicture {
  if (server.visibility !== "public") return gameSharePicture(site, game);
  return {
    url: new URL(`/og/${language()}/servers/${server.server_id}.jpg`, site.site_url).href,
    alt: `${server.server_name} – ${game.game_name} – ${site.settings.site_name}`,
  };
}
