// How an entry of the catalogue is written down: by the way in which the game is asked, and what is usual for that is left out.
import type { AdapterId } from "#shared/adapters.ts";
import type { CatalogueGame } from "./catalogue-game.ts";

type Told = Partial<Omit<CatalogueGame, "id" | "name" | "acronym" | "joinLink" | "gamePort" | "queryPort">> & {
  /**
   * How a link opens the game at an address: `connect`, Steam asks the address itself, which only works where the game is asked
   * at the port that players type; `run`, Steam starts the game with an address; or a template of its own.
   */
  join?: "connect" | "run" | `${string}:${string}`;
};

/** The port that players type, and the one that is asked where that is another. */
type Ports = number | null | [gamePort: number, queryPort: number];

/** Steam's own connecting: for Source, GoldSrc, and whoever answers Steam at the port that players type. */
const CONNECT = "steam://connect/{host}:{port}";

function joinLinkOf({ join, steamAppId }: Told): string | null {
  if (join === "connect") return CONNECT;
  if (join === "run") return `steam://run/${steamAppId}//+connect%20{host}:{port}`;
  return join ?? null;
}

/** Makes the maker of entries that are asked in one way; `usual` is what it takes for granted of a game of this id. */
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

/** By Valve's query. On the allow-list of outside/game-types by its id, unless `gameType` says otherwise. */
export const a2s = askedBy((id) => ({ adapter: "a2s", gameType: id, guide: "browser" }));

/** By an adapter of ours that knows this game alone, or a few of its kind. */
export const own = (adapter: AdapterId) => askedBy(() => ({ adapter }));

/** By the query library, which knows it by its id, unless `gameType` says otherwise. */
export const longTail = ((id, name, acronym, ports, told = {}) => {
  const gameType = told.gameType ?? id;
  const ask = askedBy(() => ({ adapter: "gamedig", gameType, adapterOptions: { gamedigType: gameType } }));
  return ask(id, name, acronym, ports, told);
}) satisfies typeof a2s as typeof a2s;

/** By a TCP connection. */
export const tcp = askedBy(() => ({ adapter: "tcp" }));

/** By nobody: the game machine reports itself. */
export const heartbeat = askedBy(() => ({ adapter: "heartbeat" }));
