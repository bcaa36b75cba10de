// The game server that an address names, as far as whoever asks may see it.
import { data } from "react-router";
import { gameServerOf } from "#web/pages/catalog-index.ts";
import type { SiteSnapshot } from "#web/pages/site-snapshot.ts";

/** The game server with its game, or the 404 page: nobody is told whether there is one that they may not see. */
export function requireShownServer(site: SiteSnapshot, text: string) {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null;
  const server = id === null ? undefined : gameServerOf(site, id);
  const game = site.games.find(({ game_slug }) => game_slug === server?.game_slug);
  if (!server || !game) throw data(null, { status: 404 });
  return { server, game, row: site.rowOf(server.server_id) };
}
