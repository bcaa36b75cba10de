// Finds the game server in an address, if the client may see it.
import { data } from "react-router";
import { gameServerOf } from "#web/pages/catalog-index.ts";
import type { SiteSnapshot } from "#web/pages/site-snapshot.ts";

/** Returns the game server with its game, or throws the 404 page, which doesn't reveal hidden ones. */
export function requireShownServer(site: SiteSnapshot, text: string) {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null;
  const server = id === null ? undefined : gameServerOf(site, id);
  const game = site.games.find(({ game_slug }) => game_slug === server?.game_slug);
  if (!server || !game) throw data(null, { status: 404 });
  return { server, game, row: site.rowOf(server.server_id) };
}
