// Picks the preview picture of a shared link. Loaders do it, because the address needs the host.
import type { GameServer } from "#domain/game-servers/game-servers.ts";
import type { Game } from "#domain/games/games.ts";
import type { SiteSnapshot } from "#web/pages/site-snapshot.ts";
import { language } from "./language.ts";
import type { SharePicture } from "./share-tags.ts";

type Site = Pick<SiteSnapshot, "site_url" | "settings">;

/** Picture of the whole site with the operator's name. */
export const sitePicture = (site: Site): SharePicture => ({
  url: new URL(`/og/${language()}/site.jpg`, site.site_url).href,
  alt: site.settings.site_name,
});

/** Picture of a game with its figures, drawn by web/embeds/open-graph.ts. */
export const gameSharePicture = (site: Site, game: Game): SharePicture => ({
  url: new URL(`/og/${language()}/games/${game.game_slug}.jpg`, site.site_url).href,
  alt: `${game.game_name} – ${site.settings.site_name}`,
});

/** Picture of a game server with its figures; of its game if the server isn't public. */
export function serverSharePicture(site: Site, server: GameServer, game: Game): SharePicture {
  if (server.visibility !== "public") return gameSharePicture(site, game);
  return {
    url: new URL(`/og/${language()}/servers/${server.server_id}.jpg`, site.site_url).href,
    alt: `${server.server_name} – ${game.game_name} – ${site.settings.site_name}`,
  };
}
