// Builds a page of the game server list: searched, filtered, sorted and cut on the server, so that the browser gets only the rows
// it shows. For loaders only.
import type { DayCurve } from "#domain/game-servers/day-curves.ts";
import type { GameServer } from "#domain/game-servers/game-servers.ts";
import { fold, GONE, PAGE_ROWS, readFilter, readIds, type ServerFilter } from "#shared/server-filter.ts";
import { UNMEASURED } from "#shared/statuses.ts";
import { choicesOf } from "#web/pages/catalog-index.ts";
import type { SiteSnapshot } from "#web/pages/site-snapshot.ts";
import { formatNumber, language } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { packDay } from "../../../ui/sparkline/draw-curve.ts";
import { locationText } from "../location-text.ts";
import { showServer } from "./shown-server.ts";

export type ServerList = ReturnType<typeof listServers>;
export type ListedServer = ServerList["servers"][number];

/** Sort values without a player count: behind empty servers, online before uncertain before offline. */
const UNCOUNTED = { online: -1, degraded: -2, unknown: -3, maintenance: -4, offline: -5, inactive: -6 };

/**
 * Returns the page of the list that `request` asks for. `ids` in its query limits the list to them; `keep` are the rows already
 * shown: they stay, in order, and new rows of a one-page list follow them. Neither includes what the reader may not see.
 * @param options.rows rows per page
 * @param options.paged false: the list has one page, and continues elsewhere
 * @param options.game slug of the only game to list
 */
export function listServers(
  site: SiteSnapshot,
  curves: ReadonlyMap<number, DayCurve>,
  request: Pick<Request, "url">,
  { rows = PAGE_ROWS, paged = true, game }: { rows?: number; paged?: boolean; game?: string } = {},
) {
  const query = new URL(request.url).searchParams;
  const asked = readFilter(query, choicesOf(site));
  const filter = game === undefined ? asked : { ...asked, game: "" };
  const ids = readIds(query, "ids");
  const entries = entriesOf(site);
  const { all, games } = entries;
  const own = game === undefined ? all : (games.get(game)?.entries ?? []);
  const scope = ids ? own.filter(({ server }) => ids.has(server.server_id)) : own;
  const live = (id: number) => site.rowOf(id);
  const found = sorted(scope.filter(finderOf(filter, live)), entries, filter, live);
  const pages = paged ? Math.max(1, Math.ceil(found.length / rows)) : 1;
  const page = Math.min(filter.page, pages);
  const onPage = found.slice((page - 1) * rows, page * rows);
  const shown = keeping(readIds(query, "keep"), onPage, { own, isWhole: found.length === onPage.length }).slice(
    0,
    rows,
  );
  return {
    filter: { ...filter, page },
    servers: shown.map((entry) => showRow(entry, site, curves)),
    found: found.length,
    total: own.length,
    besides: besidesOf(own, { live, found: found.length, page, pages }),
    pages,
    games: game === undefined ? [...games].map(([value, { name }]) => ({ value, label: name })) : [],
    regions: regionsOf(own),
  };
}

type Entry = {
  server: GameServer;
  kind: "vanilla" | "modded" | null;
  /** Searched texts: the name, and everything together. */
  name: string;
  text: string;
};

type Entries = {
  all: Entry[];
  games: Map<string, { name: string; entries: Entry[] }>;
  /** Rank by name, calculated on first use: locale comparison is slow. */
  byName?: ReadonlyMap<Entry, number>;
};

const known = new WeakMap<SiteSnapshot["gameServers"], Map<string, Entries>>();

/** Prepares all entries once for each catalogue and language. */
function entriesOf({ gameServers, games }: Pick<SiteSnapshot, "gameServers" | "games">): Entries {
  const inLanguages = known.get(gameServers) ?? new Map<string, Entries>();
  known.set(gameServers, inLanguages);
  const found = inLanguages.get(language());
  if (found) return found;
  const acronyms = new Map(games.map(({ game_slug, game_acronym }) => [game_slug, game_acronym]));
  const placeTexts = new Map<string, string>();
  const placeText = (place: string) => {
    const text = placeTexts.get(place) ?? `${place} ${locationText(place)}`;
    placeTexts.set(place, text);
    return text;
  };
  const made: Entries = { all: [], games: new Map() };
  for (const server of gameServers) {
    const { server_name, game_slug, game_name, flavour, server_locations } = server;
    const kind = kindOf(server);
    const parts = [game_name, acronyms.get(game_slug), flavour, kind, ...server_locations.map(placeText)];
    const name = fold(server_name);
    const entry = { server, kind, name, text: `${name}\n${fold(parts.filter(Boolean).join("\n"))}` };
    made.all.push(entry);
    const game = made.games.get(game_slug);
    if (game) game.entries.push(entry);
    else made.games.set(game_slug, { name: game_name, entries: [entry] });
  }
  inLanguages.set(language(), made);
  return made;
}

/** Returns whether mods are needed to play; null if the admin doesn't say. */
function kindOf({ mods, flavour }: Pick<GameServer, "mods" | "flavour">): "vanilla" | "modded" | null {
  if (mods.length > 0 || /\bmod/i.test(flavour ?? "")) return "modded";
  return flavour ? "vanilla" : null;
}

type Cut = { live: ReadRow; found: number; page: number; pages: number };

/** Explains the count: why more rows are listed than "12 of 13 online" counts, and the number of the page. */
function besidesOf(own: Entry[], { live, found, page, pages }: Cut): string {
  const inactive = own.filter(({ server }) => live(server.server_id)?.status === "inactive").length;
  const texts: string[] = [];
  // On a part of the list it would be misread as a count of that part.
  if (inactive > 0 && found === own.length && found > 1)
    texts.push(m.filter_inactive({ shown: formatNumber(inactive) }));
  if (pages > 1) texts.push(m.filter_page({ page: formatNumber(page), pages: formatNumber(pages) }));
  return texts.map((text) => ` · ${text}`).join("");
}

type ReadRow = (id: number) => SiteSnapshot["live"][number] | undefined;

/** Returns a filter function. Favourites are filtered by the requested ids. */
function finderOf(filter: ServerFilter, live: ReadRow): (entry: Entry) => boolean {
  const { game, kind, region, players } = filter;
  if ([game, kind, region].includes(GONE)) return () => false;
  const words = wordsOf(filter);
  return ({ server, kind: itsKind, text }) =>
    (game === "" || server.game_slug === game) &&
    (kind === "" || itsKind === kind) &&
    (region === "" || server.server_locations.includes(region)) &&
    (!players || (live(server.server_id)?.user_online ?? 0) > 0) &&
    words.every((word) => text.includes(word));
}

const wordsOf = ({ q }: ServerFilter): string[] => fold(q).split(" ").filter(Boolean);

/** Sorts by the requested order; by default most players first, with exact name matches before. */
function sorted(found: Entry[], entries: Entries, filter: ServerFilter, live: ReadRow): Entry[] {
  if (filter.sort === "name") {
    entries.byName ??= byName(entries.all);
    const { byName: places } = entries;
    return found.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
  }
  const words = wordsOf(filter);
  const fit = ({ name }: Entry) => (words.length > 0 && words.every((word) => name.includes(word)) ? 1 : 0);
  const rank = ({ server }: Entry) => {
    const row = live(server.server_id);
    if (filter.sort === "peak") return row?.user_peak ?? -1;
    return row?.user_online ?? UNCOUNTED[row?.status ?? UNMEASURED[server.lifecycle]];
  };
  return found
    .map((entry) => ({ entry, rank: rank(entry), fit: fit(entry) }))
    .sort((a, b) => b.fit - a.fit || b.rank - a.rank)
    .map(({ entry }) => entry);
}

function byName(all: Entry[]): ReadonlyMap<Entry, number> {
  const { compare } = new Intl.Collator(language(), { numeric: true, sensitivity: "base" });
  const inOrder = all.toSorted((a, b) => compare(a.server.server_name, b.server.server_name));
  return new Map(inOrder.map((entry, place) => [entry, place]));
}

function keeping(
  ids: ReadonlySet<number> | null,
  onPage: Entry[],
  { own, isWhole }: { own: Entry[]; isWhole: boolean },
): Entry[] {
  if (!ids) return onPage;
  const byId = new Map(own.map((entry) => [entry.server.server_id, entry]));
  const kept = [...ids].flatMap((id) => byId.get(id) ?? []);
  return isWhole ? [...kept, ...onPage.filter(({ server }) => !ids.has(server.server_id))] : kept;
}

/** Data of a row that is sent to the browser. */
function showRow(
  { server, kind }: Entry,
  { asked }: Pick<SiteSnapshot, "asked">,
  curves: ReadonlyMap<number, DayCurve>,
) {
  const { server_id, server_name, address, join_href, user_max, lifecycle, flavour, server_locations } =
    showServer(server);
  return {
    server_id,
    name: server_name,
    address,
    join_href,
    max: user_max,
    lifecycle,
    flavour,
    locations: server_locations,
    game_name: server.game_name,
    kind,
    curve: packDay(curves.get(server_id), asked.get(server_id)?.first_at ?? null),
  };
}

/** Lists locations in the page's language. The filter uses them as written. */
function regionsOf(entries: Entry[]): { value: string; label: string }[] {
  const written = new Set(entries.flatMap(({ server }) => server.server_locations));
  return [...written]
    .filter(Boolean)
    .map((value) => ({ value, label: locationText(value) }))
    .sort((a, b) => a.label.localeCompare(b.label, language()));
}
