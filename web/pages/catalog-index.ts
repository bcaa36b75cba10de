// Indexes the list of game servers, once per catalog and audience.
import { type FilterChoices, filterChoices } from "#shared/server-filter.ts";
import type { SiteSnapshot } from "./site-snapshot.ts";

type GameServers = SiteSnapshot["gameServers"];
type OfCatalog = Pick<SiteSnapshot, "gameServers">;

/** Caches the result of `make` for a list of game servers for as long as that list is in use. */
export function onceFor<Made>(make: (gameServers: GameServers) => Made): (site: OfCatalog) => Made {
  const kept = new WeakMap<GameServers, { made: Made }>();
  return ({ gameServers }) => {
    const found = kept.get(gameServers) ?? { made: make(gameServers) };
    kept.set(gameServers, found);
    return found.made;
  };
}

/** The choices of list filters: read for every request with a query. */
export const choicesOf: (site: OfCatalog) => FilterChoices = onceFor((gameServers) =>
  filterChoices(gameServers.map(({ game_slug, server_locations }) => ({ game_slug, locations: server_locations }))),
);

const byGame = onceFor((gameServers) => Map.groupBy(gameServers, ({ game_slug }) => game_slug));
const byId = onceFor((gameServers) => new Map(gameServers.map((server) => [server.server_id, server])));

/** The game servers of a game, in their order. */
export const gameServersOf = (site: OfCatalog, slug: string): GameServers => byGame(site).get(slug) ?? [];

/** A game server by its id; undefined if the audience may not see it. */
export const gameServerOf = (site: OfCatalog, id: number): GameServers[number] | undefined => byId(site).get(id);
