// Which game servers a list shows, as its address says it: read, written and applied, on the server and in the browser alike.

export type ServerFilter = {
  /** The slug of a game; "": all. */
  game: string;
  /** "vanilla", "modded"; "": both. */
  kind: string;
  /** A location as its admin wrote it; "": anywhere. */
  region: string;
  /** Only those with players on them. */
  players: boolean;
  /** Only the reader's own; the browser alone knows which. */
  favourites: boolean;
  /** From 1. */
  page: number;
};

/** Rows of one page of the dashboard's list. */
export const PAGE_ROWS = 50;

/** What can be asked for: everything else in an address is taken for something that is not here. */
export type FilterChoices = { games: string[]; regions: string[]; pages: number };

/** Stands for whatever an address asks for that is not here, so that it matches nothing and no text of others is repeated. */
export const GONE = "-";

const KINDS = ["vanilla", "modded"];

/** What can be asked for: the games and locations that game servers have. */
export function filterChoices(servers: { game_slug: string; locations: string[] }[]): FilterChoices {
  return {
    games: [...new Set(servers.map(({ game_slug }) => game_slug))],
    regions: [...new Set(servers.flatMap(({ locations }) => locations))].filter(Boolean).sort(),
    pages: Math.max(1, Math.ceil(servers.length / PAGE_ROWS)),
  };
}

/** Reads a query. Only known values come out of it, however many different queries come in. */
export function readFilter(query: URLSearchParams, choices: FilterChoices): ServerFilter {
  const choice = (name: string, known: string[]) => {
    const value = query.get(name) ?? "";
    return value === "" || known.includes(value) ? value : GONE;
  };
  const page = /^\d{1,4}$/.test(query.get("page") ?? "") ? Number(query.get("page")) : 1;
  return {
    game: choice("game", choices.games),
    kind: choice("kind", KINDS),
    region: choice("region", choices.regions),
    players: query.get("players") === "1",
    favourites: query.get("favourites") === "1",
    page: page >= 1 && page <= choices.pages ? page : 1,
  };
}

/** The query of a filter, with its "?"; "" when it asks for nothing. The same filter is always the same text. */
export function filterQuery(filter: ServerFilter): string {
  const query = new URLSearchParams();
  for (const name of ["game", "kind", "region"] as const) if (filter[name]) query.set(name, filter[name]);
  for (const name of ["players", "favourites"] as const) if (filter[name]) query.set(name, "1");
  if (filter.page > 1) query.set("page", String(filter.page));
  return query.size > 0 ? `?${query}` : "";
}

/** Whether a filter leaves anything out. */
export const isFiltering = (filter: ServerFilter): boolean => filterQuery({ ...filter, page: 1 }) !== "";

/** What a filter looks at. `kind` is null where nobody has said it. */
export type Filtered = { server_id: number; game_slug: string; kind: string | null; locations: string[] };

/** Whether a game server passes. `online`: its players now; `favourites`: null where they are not known. */
export function passes(
  server: Filtered,
  filter: ServerFilter,
  online: number | null,
  favourites: ReadonlySet<number> | null,
): boolean {
  return (
    (filter.game === "" || server.game_slug === filter.game) &&
    (filter.kind === "" || server.kind === filter.kind) &&
    (filter.region === "" || server.locations.includes(filter.region)) &&
    (!filter.players || (online ?? 0) > 0) &&
    (!filter.favourites || favourites?.has(server.server_id) === true)
  );
}
