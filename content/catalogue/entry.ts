// Builds catalogue entries by adapter, with its usual values as defaults.
import type { AdapterId } from "#shared/adapters.ts";
import type { CatalogueGame } from "./catalogue-game.ts";

type Told = Partial<Omit<CatalogueGame, "id" | "name" | "acronym" | "joinLink" | "gamePort" | "queryPort">> & {
  /**
   * How a link opens the game at an address: `connect`, Steam queries the address itself, which only works if the query port is the
   * port that players type; `run`, Steam starts the game with an address; or a template of its own.
   */
  join?: "connect" | "run" | `${string}:${string}`;
};

/** The port that players type, and the query port if different. */
type Ports = number | null | [gamePort: number, queryPort: number];

/** Steam's own connect link: for Source, GoldSrc, and games that answer Steam on the port that players type. */
const CONNECT = "steam://connect/{host}:{port}";

function joinLinkOf({ join, steamAppId }: Told): string | null {
  if (join === "connect") return CONNECT;
  if (join === "run") return `steam://run/${steamAppId}//+connect%20{host}:{port}`;
  return join ?? null;
}

/** Creates a builder of entries for one adapter; `usual` returns the defaults for a game's id. */
const askedBy =
  (usual: (id: string) => Pick<CatalogueGame, "adapter"> & Partial<CatalogueGame>) =>
  (id: string, name: string, acronym: string, ports: Ports, { join, ...told }: Told = {}): CatalogueGame => {
    const [gamePort, queryPort] = Array.isArray(ports) ? ports : [ports, null];
    const joinLink = joinLinkOf({ join, ...told });
    return {
      aliases: [],
      steamAppId: null,
      gameType: null,
      adapterOptions: {},
      password: "possible",
      guide: "address",
      first: false,
      ...usual(id),
      ...(joinLink?.startsWith("steam:") && { guide: "steam" }),
      ...told,
      id,
      name,
      acronym,
      gamePort,
      queryPort,
      joinLink,
    };
  };

/** By Valve's query. On the allow-list of outside/game-types by its id, unless `gameType` is set. */
export const a2s = askedBy((id) => ({ adapter: "a2s", gameType: id, guide: "browser" }));

/** By an adapter of ours for this game alone, or a few like it. */
export const own = (adapter: AdapterId) => askedBy(() => ({ adapter }));

/** By the query library, under its id unless `gameType` is set. */
export const longTail = ((id, name, acronym, ports, told = {}) => {
  const gameType = told.gameType ?? id;
  const ask = askedBy(() => ({ adapter: "gamedig", gameType, adapterOptions: { gamedigType: gameType } }));
  return ask(id, name, acronym, ports, told);
}) satisfies typeof a2s as typeof a2s;

/** By a TCP connection. */
export const tcp = askedBy(() => ({ adapter: "tcp" }));

/** Not polled: the game machine sends heartbeats. */
export const heartbeat = askedBy(() => ({ adapter: "heartbeat" }));
