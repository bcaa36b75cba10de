// Reads and writes the filter of a list of game servers in its address, on the server and in the browser alike.

export type ServerFilter = {
  /** Words that must all be in a game server's name, game, place or mode; "": no search. */
  q: string;
  /** The slug of a game; "": all. */
  game: string;
  /** "vanilla", "modded"; "": both. */
  kind: string;
  /** A location as its admin wrote it; "": anywhere. */
  region: string;
  /** Only those with players on them. */
  players: boolean;
  /** Only the reader's own, which only the browser knows. */
  favourites: boolean;
  /** "name", "peak"; "": those with the most players first. */
  sort: string;
  /** From 1. */
  page: number;
};

/** Rows per page of a list. */
export const PAGE_ROWS = 50;

/** Characters of a search; longer ones are cut. */
export const MOST_SEARCHED = 60;

/** The most favourites in one request. */
export const MOST_IDS = 500;

/** The available values: any other value in an address is replaced by GONE. */
export type FilterChoices = { games: string[]; regions: string[]; pages: number };

/** Replaces unavailable values of an address, so that they match nothing and foreign text is never repeated. */
export const GONE = "-";

const KINDS = ["vanilla", "modded"];
export const SORTS = ["name", "peak"] as const;
const CHOSEN = ["game", "kind", "region"] as const;

/** The filter that leaves nothing out. */
export const NO_FILTER: ServerFilter = {
  q: "",
  game: "",
  kind: "",
  region: "",
  players: false,
  favourites: false,
  sort: "",
  page: 1,
};

/** Lists the available values: the games and locations that game servers have. */
export function filterChoices(servers: { game_slug: string; locations: string[] }[]): FilterChoices {
  return {
    games: [...new Set(servers.map(({ game_slug }) => game_slug))],
    regions: [...new Set(servers.flatMap(({ locations }) => locations))].filter(Boolean).sort(),
    pages: Math.max(1, Math.ceil(servers.length / PAGE_ROWS)),
  };
}

/** Reads a query. Except for the search it returns only known values, however many different queries come in. */
export function readFilter(query: URLSearchParams, choices: FilterChoices): ServerFilter {
  const choice = (name: string, known: string[]) => {
    const value = query.get(name) ?? "";
    return value === "" || known.includes(value) ? value : GONE;
  };
  const page = /^\d{1,4}$/.test(query.get("page") ?? "") ? Number(query.get("page")) : 1;
  const sort = query.get("sort") ?? "";
  return {
    q: readSearch(query.get("q")),
    game: choice("game", choices.games),
    kind: choice("kind", KINDS),
    region: choice("region", choices.regions),
    players: query.get("players") === "1",
    favourites: query.get("favourites") === "1",
    sort: SORTS.some((known) => known === sort) ? sort : "",
    page: page >= 1 && page <= choices.pages ? page : 1,
  };
}

/** Normalises a search for the address: single spaces between words, no invisible characters; "" without any word. */
export function readSearch(text: string | null): string {
  const seen = (text ?? "").slice(0, 4 * MOST_SEARCHED).replaceAll(/[\p{C}\s]+/gu, " ");
  const cut = [...seen.trim()].slice(0, MOST_SEARCHED).join("").trim();
  return fold(cut).trim() === "" ? "" : cut;
}

/** Lists by ids: a browser's favourites, and the rows that it currently shows. */
const BY_IDS = ["ids", "keep"] as const;

/** Checks for a query that suits one client only: its page is made for that client, and not cached. */
export const isOwn = (query: URLSearchParams): boolean =>
  readSearch(query.get("q")) !== "" || BY_IDS.some((name) => readIds(query, name) !== null);

/** Reads ids of game servers in a query ("4,17"), in their order; null if there are none, or other text. */
export function readIds(query: URLSearchParams, name: (typeof BY_IDS)[number]): ReadonlySet<number> | null {
  const text = query.get(name) ?? "";
  if (!/^\d{1,9}(?:,\d{1,9})*$/.test(text)) return null;
  return new Set(text.split(",", MOST_IDS).map(Number));
}

/** Normalises a text for comparison: without case, accents and ligatures. */
export function fold(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll("ß", "ss");
}

/** Makes the query of a filter, with its "?"; "" if the filter is empty. The same filter always gives the same text. */
export function filterQuery(filter: ServerFilter): string {
  const query = new URLSearchParams();
  for (const name of ["q", ...CHOSEN] as const) if (filter[name]) query.set(name, filter[name]);
  for (const name of ["players", "favourites"] as const) if (filter[name]) query.set(name, "1");
  if (filter.sort) query.set("sort", filter.sort);
  if (filter.page > 1) query.set("page", String(filter.page));
  return query.size > 0 ? `?${query}` : "";
}

/** Checks whether a filter leaves anything out. */
export const isFiltering = (filter: ServerFilter): boolean => filterQuery({ ...filter, sort: "", page: 1 }) !== "";
