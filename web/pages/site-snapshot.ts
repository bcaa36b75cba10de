// Builds the site's data for pages, cut to what their audience may see.
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type Audience, asSeenBy, type GameServer } from "#domain/game-servers/game-servers.ts";
import type { LiveMetrics } from "#domain/game-servers/live-metrics.ts";
import type { Game } from "#domain/games/games.ts";
import { type BegunNews, newsSeenWith, type ShownNews } from "#domain/news/news.ts";
import type { Sight } from "#domain/outposts/sights.ts";
import { incidentsSeenWith, plansSeenWith, type ShownIncident, type ShownPlan } from "#domain/plans/shown-status.ts";
import type { SiteSettings } from "#domain/site/settings.ts";
import type { Totals } from "#shared/live/shown-figures.ts";
import type { LiveRow } from "#shared/live-row.ts";
import { summarize } from "#shared/summary.ts";

/** All data that a page can show to one audience. */
export type SiteSnapshot = {
  /** The position of a page or a stream: numbers count up within an epoch, and an epoch is one run of one web process. */
  epoch: string;
  seq: number;
  /** Identifies the content of games, gameServers and settings: the same in every process that read the same. */
  catalog: string;
  games: Game[];
  gameServers: GameServer[];
  /** In the order of gameServers. */
  live: LiveRow[];
  /** A row by its id; undefined if the audience may not see it. */
  rowOf(serverId: number): LiveRow | undefined;
  /** Whether the audience may see a game server; it may have no row yet. */
  hasServer(serverId: number): boolean;
  /** ISO time of the last poll of that game server; null: never, or not visible. */
  askedOf(serverId: number): string | null;
  /** Sums over all that the audience may see. */
  totals(): Totals;
  /** The sums of one game; undefined if there is no such game. */
  totalsOf(gameId: number): Totals | undefined;
  /** When each game server was first and last polled, and the latency of the last reply. */
  asked: Map<number, { first_at: string | null; at: string | null; latency_ms: number | null }>;
  /** Latencies from elsewhere: by game server, the outposts that reach it. */
  places: Map<number, Place[]>;
  /** In the order of their list: pinned current ones first, then the newest. */
  news: ShownNews[];
  /** Current and coming ones, and those of the last 90 days. */
  plans: ShownPlan[];
  /** Published ones, open or of the last 90 days; the newest first. */
  incidents: ShownIncident[];
  settings: SiteSettings;
  /** Since when figures are withheld because of a fault on our side; null: they are current. */
  delayed_since: string | null;
  demo: boolean;
  site_url: string;
  poll_interval_s: number;
};

/** An outpost's location, and the latency of its last reply. */
type Place = { name: string; latency_ms: number };

/** The loaders' view of the site, as the client may see it. */
export type SiteReader = { read(): SiteSnapshot };

/** The same for endpoints beside the pages: links begin with the requested address. */
export type SiteOfRequest = {
  readFor(request: IncomingMessage): SiteSnapshot;
  /** Whether results for this request may be cached: not at addresses of unlimited number (`cacheOrigin`). */
  keepsFor(request: IncomingMessage): boolean;
};

/** All that the hub last read, unfiltered. */
export type SiteState = {
  games: Game[];
  gameServers: GameServer[];
  settings: SiteSettings;
  measured: Map<number, LiveMetrics>;
  /** The outposts' observations. */
  sights: Map<number, Sight[]>;
  shown: Map<number, LiveRow>;
  /** Published ones that have begun, in the order of their list. */
  news: BegunNews[];
  plans: ShownPlan[];
  incidents: ShownIncident[];
  delayedSince: string | null;
};

const elsewhere = new WeakMap<SiteSnapshot, Map<string, SiteSnapshot>>();
const MOST_ORIGINS = 50;

/**
 * Gets the same site with links that begin with `origin`: one object for each, so that caches by object work.
 * @param isKept false: a new object, freed together with everything cached by it
 */
export function atOrigin(snapshot: SiteSnapshot, origin: string, isKept = true): SiteSnapshot {
  if (origin === snapshot.site_url) return snapshot;
  if (!isKept) return withOrigin(snapshot, origin);
  const known = elsewhere.get(snapshot) ?? new Map<string, SiteSnapshot>();
  elsewhere.set(snapshot, known);
  const found = known.get(origin);
  if (found) return found;
  const made = withOrigin(snapshot, origin);
  if (known.size < MOST_ORIGINS) known.set(origin, made);
  return made;
}

/** Values computed on first use are shared by all of them. */
const withOrigin = (snapshot: SiteSnapshot, origin: string): SiteSnapshot =>
  Object.create(snapshot, { site_url: { value: origin, enumerable: true } });

/** The catalog as an audience may see it; replaced on each reread. */
export type CatalogView = Pick<
  SiteSnapshot,
  "catalog" | "games" | "gameServers" | "news" | "plans" | "incidents" | "settings"
> & {
  /** The game servers by id, and the game of each. */
  servers: ReadonlyMap<number, GameServer>;
  gameOf: ReadonlyMap<number, number>;
  /** The ones of each game. */
  ofGame: ReadonlyMap<number, GameServer[]>;
};

/** Cuts the catalog for an audience. */
export function catalogFor(audience: Audience, state: SiteState): CatalogView {
  const { games, settings } = state;
  const gameServers = state.gameServers.flatMap((server) => asSeenBy(server, audience) ?? []);
  const bySlug = Map.groupBy(gameServers, ({ game_slug }) => game_slug);
  const ofGame = new Map(games.map(({ game_id, game_slug }) => [game_id, bySlug.get(game_slug) ?? []]));
  const shown = { games, gameServers, settings, news: newsFor(state, gameServers), ...announcedTo(state, gameServers) };
  return {
    ...shown,
    catalog: nameOf(shown),
    servers: new Map(gameServers.map((server) => [server.server_id, server])),
    gameOf: new Map([...ofGame].flatMap(([id, servers]) => servers.map(({ server_id }) => [server_id, id]))),
    ofGame,
  };
}

/** Makes the snapshot of one position. Values that cost time per game server are computed on first use. */
export function snapshotFor(
  { servers, gameOf: _, ofGame: __, ...catalog }: CatalogView,
  { shown, measured, sights, delayedSince }: SiteState,
  rest: Pick<SiteSnapshot, "epoch" | "seq" | "demo" | "site_url" | "poll_interval_s" | "totals" | "totalsOf">,
): SiteSnapshot {
  const ids = [...servers.keys()];
  const live = once(() => ids.flatMap((id) => shown.get(id) ?? []));
  const asked = once(() => new Map(ids.map((id) => [id, askedOf(measured.get(id))])));
  const places = once(() => new Map(ids.flatMap((id) => placesOf(id, sights.get(id)))));
  return {
    ...rest,
    ...catalog,
    get live() {
      return live();
    },
    get asked() {
      return asked();
    },
    get places() {
      return places();
    },
    rowOf: (id) => (servers.has(id) ? shown.get(id) : undefined),
    hasServer: (id) => servers.has(id),
    askedOf: (id) => (servers.has(id) ? askedOf(measured.get(id)).at : null),
    delayed_since: delayedSince,
  };
}

function askedOf(measured: LiveMetrics | undefined) {
  return {
    first_at: measured?.first_asked_at?.toISOString() ?? null,
    at: measured?.last_asked_at?.toISOString() ?? null,
    latency_ms: measured?.latency_ms ?? null,
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Sums up game servers as shown. */
export function totalsOver(servers: GameServer[], shown: SiteState["shown"]): Totals {
  const rows = servers.flatMap(({ server_id }) => shown.get(server_id) ?? []);
  const { playersNow, playersKnown, serversOnline, serversTotal, fullest } = summarize(rows);
  const name = fullest && servers.find(({ server_id }) => server_id === fullest.server_id)?.server_name;
  return {
    players_online: playersNow,
    players_known: playersKnown,
    players_reported: rows.some(({ user_online }) => user_online !== null),
    servers_online: serversOnline,
    servers_total: serversTotal,
    fullest: fullest && {
      server_id: fullest.server_id,
      server_name: name ?? "",
      user_online: fullest.user_online ?? 0,
      user_max: fullest.user_max,
    },
  };
}

function placesOf(id: number, sights: Sight[] = []): [number, Place[]][] {
  const places = sights.flatMap(({ place, ok, latency_ms }) =>
    ok && latency_ms !== null ? [{ name: place, latency_ms }] : [],
  );
  return places.length > 0 ? [[id, places]] : [];
}

/** Filters news: general ones, and those about something visible. */
function newsFor({ games, news }: SiteState, gameServers: GameServer[]): ShownNews[] {
  if (news.every(({ about }) => about === null)) return news as ShownNews[];
  const seen = {
    gameSlugs: new Map(games.map(({ game_id, game_slug }) => [game_id, game_slug])),
    serverIds: new Set(gameServers.map(({ server_id }) => server_id)),
  };
  return news.flatMap((one) => newsSeenWith(one, seen) ?? []);
}

/** Filters plans and incidents: those that name nothing hidden from an audience with these game servers. */
function announcedTo({ games, plans, incidents }: SiteState, gameServers: GameServer[]) {
  if (plans.length + incidents.length === 0) return { plans, incidents };
  const seen = {
    gameSlugs: new Set(games.map(({ game_slug }) => game_slug)),
    serverIds: new Set(gameServers.map(({ server_id }) => server_id)),
  };
  return { plans: plansSeenWith(plans, seen), incidents: incidentsSeenWith(incidents, seen) };
}

/** Makes an id for an audience's view of the catalog. */
function nameOf(
  shown: Pick<SiteSnapshot, "games" | "gameServers" | "settings" | "news" | "plans" | "incidents">,
): string {
  const { games, gameServers, settings, plans, incidents } = shown;
  // A changed one has a new `updated_at`: its text need not be hashed.
  const news = shown.news.map(({ news_id, updated_at, holds, about }) => [news_id, updated_at, holds, about]);
  return createHash("sha256")
    .update(JSON.stringify([games, gameServers, settings, news, plans, incidents]))
    .digest("base64url")
    .slice(0, 12);
}
