// Which game servers a list shows, as its address says it: read and written on the server and in the browser alike.

export type ServerFilter = {
  /** Words of which each has to be in a game server's name, game, place or mode; "": no search. */
  q: string;
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
  /** "name", "peak"; "": those with the most players first. */
  sort: string;
  /** From 1. */
  page: number;
};

/** Rows of one page of a list. */
export const PAGE_ROWS = 50;

/** Signs of a search; what is longer is cut. */
export const MOST_SEARCHED = 60;

/** Favourites that can be asked for at once. */
export const MOST_IDS = 500;

/** What can be asked for: everything else in an address is taken for something that is not here. */
export type FilterChoices = { games: string[]; regions: string[]; pages: number };

/** Stands for whatever an address asks for that is not here, so that it matches nothing and no text of others is repeated. */
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

/** What can be asked for: the games and locations that game servers have. */
export function filterChoices(servers: { game_slug: string; locations: string[] }[]): FilterChoices {
  return {
    games: [...new Set(servers.map(({ game_slug }) => game_slug))],
    regions: [...new Set(servers.flatMap(({ locations }) => locations))].filter(Boolean).sort(),
    pages: Math.max(1, Math.ceil(servers.length / PAGE_ROWS)),
  };
}

/** Reads a query. But for the search only known values come out of it, however many different queries come in. */
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

/** A search as it stands in the address: one space between words, no signs that nobody sees; "" where no word is left. */
export function readSearch(text: string | null): string {
  const seen = (text ?? "").slice(0, 4 * MOST_SEARCHED).replaceAll(/[\p{C}\s]+/gu, " ");
  const cut = [...seen.trim()].slice(0, MOST_SEARCHED).join("").trim();
  return fold(cut).trim() === "" ? "" : cut;
}

/** What a browser asks for by ids: its favourites, and the rows that are in front of somebody. */
const BY_IDS = ["ids", "keep"] as const;

/** Whether a query asks for what only whoever asks has any use for: such a page is made for them, and not kept. */
export const isOwn = (query: URLSearchParams): boolean =>
  readSearch(query.get("q")) !== "" || BY_IDS.some((name) => readIds(query, name) !== null);

/** Ids of game servers in a query ("4,17"), in their order; null where it names none, or something else. */
export function readIds(query: URLSearchParams, name: (typeof BY_IDS)[number]): ReadonlySet<number> | null {
  const text = query.get(name) ?? "";
  if (!/^\d{1,9}(?:,\d{1,9})*$/.test(text)) return null;
  return new Set(text.split(",", MOST_IDS).map(Number));
}

/** As texts are compared: without case, accents and ligatures. */
export function fold(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll("ß", "ss");
}

/** The query of a filter, with its "?"; "" when it asks for nothing. The same filter is always the same text. */
export function filterQuery(filter: ServerFilter): string {
  const query = new URLSearchParams();
  for (const name of ["q", ...CHOSEN] as const) if (filter[name]) query.set(name, filter[name]);
  for (const name of ["players", "favourites"] as const) if (filter[name]) query.set(name, "1");
  if (filter.sort) query.set("sort", filter.sort);
  if (filter.page > 1) query.set("page", String(filter.page));
  return query.size > 0 ? `?${query}` : "";
}

/** Whether a filter leaves anything out. */
export const isFiltering = (filter: ServerFilter): boolean => filterQuery({ ...filter, sort: "", page: 1 }) !== "";
