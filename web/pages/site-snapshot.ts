// What a page can show of the site, cut to what its audience may see.
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

/** Everything that a page can show to one audience. */
export type SiteSnapshot = {
  /** Where a page or a stream stands: numbers count up within an epoch, and an epoch is one run of one web process. */
  epoch: string;
  seq: number;
  /** Names the content of games, gameServers and settings: the same in every process that read the same. */
  catalog: string;
  games: Game[];
  gameServers: GameServer[];
  /** In the order of gameServers. */
  live: LiveRow[];
  /** One of them, by its id; undefined where the audience may not see it. */
  rowOf(serverId: number): LiveRow | undefined;
  /** Whether the audience may see a game server; it may have no row yet. */
  hasServer(serverId: number): boolean;
  /** ISO time at which that game server was last asked; null: never, or not to be seen. */
  askedOf(serverId: number): string | null;
  /** Sums over all that the audience may see. */
  totals(): Totals;
  /** The same of one game; undefined where there is no such game. */
  totalsOf(gameId: number): Totals | undefined;
  /** When each game server was first and last asked, and how long the last answer took. */
  asked: Map<number, { first_at: string | null; at: string | null; latency_ms: number | null }>;
  /** How long answers take elsewhere: by game server, the outposts that reach it. */
  places: Map<number, Place[]>;
  /** In the order of their list: pinned ones that hold first, then the newest. */
  news: ShownNews[];
  /** Those that take place, and those of the last 90 days. */
  plans: ShownPlan[];
  /** Published ones, open or of the last 90 days; the newest first. */
  incidents: ShownIncident[];
  settings: SiteSettings;
  /** Since when figures are held back because the fault is ours; null: they are current. */
  delayed_since: string | null;
  demo: boolean;
  site_url: string;
  poll_interval_s: number;
};

/** Where an outpost stands, and how long the last answer took there. */
type Place = { name: string; latency_ms: number };

/** What loaders reach: the site as the person who asks may see it. */
export type SiteReader = { read(): SiteSnapshot };

/** The same for what answers beside the pages: with links that begin with the address that was asked. */
export type SiteOfRequest = {
  readFor(request: IncomingMessage): SiteSnapshot;
  /** Whether what is made of it for this request may be kept: not at an address that has no end of neighbours (`cacheOrigin`). */
  keepsFor(request: IncomingMessage): boolean;
};

/** What the hub last read, nothing of it cut. */
export type SiteState = {
  games: Game[];
  gameServers: GameServer[];
  settings: SiteSettings;
  measured: Map<number, LiveMetrics>;
  /** What outposts see. */
  sights: Map<number, Sight[]>;
  shown: Map<number, LiveRow>;
  /** What is published and has begun, in the order of its list. */
  news: BegunNews[];
  plans: ShownPlan[];
  incidents: ShownIncident[];
  delayedSince: string | null;
};

const elsewhere = new WeakMap<SiteSnapshot, Map<string, SiteSnapshot>>();
const MOST_ORIGINS = 50;

/**
 * The same site with links that begin with `origin`: one object for each, so that what is kept by it is kept.
 * @param isKept false: one that is nobody else's, and goes with all that is kept by it
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

/** What is made when it is first asked for is made once, for all of them. */
const withOrigin = (snapshot: SiteSnapshot, origin: string): SiteSnapshot =>
  Object.create(snapshot, { site_url: { value: origin, enumerable: true } });

/** What an audience may see of the catalog: the same until that is read anew. */
export type CatalogView = Pick<
  SiteSnapshot,
  "catalog" | "games" | "gameServers" | "news" | "plans" | "incidents" | "settings"
> & {
  /** The game servers by id, and the game of each. */
  servers: ReadonlyMap<number, GameServer>;
  gameOf: ReadonlyMap<number, number>;
  /** Those of each game. */
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

/** The site at one position. What costs something for each game server is made when somebody asks for it. */
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

/** Sums over game servers as they are shown. */
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

/** The news that are about everybody, or about something that is seen. */
function newsFor({ games, news }: SiteState, gameServers: GameServer[]): ShownNews[] {
  if (news.every(({ about }) => about === null)) return news as ShownNews[];
  const seen = {
    gameSlugs: new Map(games.map(({ game_id, game_slug }) => [game_id, game_slug])),
    serverIds: new Set(gameServers.map(({ server_id }) => server_id)),
  };
  return news.flatMap((one) => newsSeenWith(one, seen) ?? []);
}

/** The plans and incidents that name nothing which is hidden from those who see these game servers. */
function announcedTo({ games, plans, incidents }: SiteState, gameServers: GameServer[]) {
  if (plans.length + incidents.length === 0) return { plans, incidents };
  const seen = {
    gameSlugs: new Set(games.map(({ game_slug }) => game_slug)),
    serverIds: new Set(gameServers.map(({ server_id }) => server_id)),
  };
  return { plans: plansSeenWith(plans, seen), incidents: incidentsSeenWith(incidents, seen) };
}

/** A name for what an audience sees of the catalog. */
function nameOf(
  shown: Pick<SiteSnapshot, "games" | "gameServers" | "settings" | "news" | "plans" | "incidents">,
): string {
  const { games, gameServers, settings, plans, incidents } = shown;
  // A saved change of one has a moment of its own: its text need not be read again.
  const news = shown.news.map(({ news_id, updated_at, holds, about }) => [news_id, updated_at, holds, about]);
  return createHash("sha256")
    .update(JSON.stringify([games, gameServers, settings, news, plans, incidents]))
    .digest("base64url")
    .slice(0, 12);
}
