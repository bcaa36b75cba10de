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
import type { Totals } from "#shared/live/live-page.ts";
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
export type SiteOfRequest = { readFor(request: IncomingMessage): SiteSnapshot };

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

/** The same site with links that begin with `origin`: one object for each, so that what is kept by it is kept. */
export function atOrigin(snapshot: SiteSnapshot, origin: string): SiteSnapshot {
  if (origin === snapshot.site_url) return snapshot;
  const known = elsewhere.get(snapshot) ?? new Map<string, SiteSnapshot>();
  elsewhere.set(snapshot, known);
  const found = known.get(origin);
  if (found) return found;
  // What is made when it is first asked for stays so.
  const made: SiteSnapshot = Object.assign(Object.create(snapshot), { site_url: origin });
  if (known.size < MOST_ORIGINS) known.set(origin, made);
  return made;
}

/**
 * Cuts the state for an audience. Made after every change, so it does nothing that takes longer the more game servers there are:
 * what only some pages look at is made when the first of them asks.
 */
export function snapshotFor(
  audience: Audience,
  state: SiteState,
  rest: Pick<SiteSnapshot, "epoch" | "seq" | "demo" | "site_url" | "poll_interval_s">,
): SiteSnapshot {
  const { games, settings } = state;
  const { gameServers, ids, ofGames } = seenBy(audience, state);
  const rowOf = (id: number) => (ids.has(id) ? state.shown.get(id) : undefined);
  const live = once(() => gameServers.flatMap(({ server_id }) => rowOf(server_id) ?? []));
  const asked = once(() => new Map(gameServers.map(({ server_id }) => [server_id, askedAbout(state, server_id)])));
  const places = once(
    () => new Map(gameServers.flatMap(({ server_id }) => placesOf(server_id, state.sights.get(server_id)))),
  );
  return {
    ...rest,
    catalog: catalogOf(audience, state),
    games,
    gameServers,
    get live() {
      return live();
    },
    rowOf,
    askedOf: (id) => (ids.has(id) ? askedAbout(state, id).at : null),
    ...totalsIn(games, gameServers, ofGames, state.shown),
    get asked() {
      return asked();
    },
    get places() {
      return places();
    },
    news: newsFor(state, ids),
    ...announcedTo(state, ids),
    settings,
    delayed_since: state.delayedSince,
  };
}

function askedAbout({ measured }: SiteState, id: number) {
  const row = measured.get(id);
  return {
    first_at: row?.first_asked_at?.toISOString() ?? null,
    at: row?.last_asked_at?.toISOString() ?? null,
    latency_ms: row?.latency_ms ?? null,
  };
}

/** Sums, each made when it is first asked for. */
function totalsIn(
  games: Game[],
  gameServers: GameServer[],
  ofGames: ReadonlyMap<string, GameServer[]>,
  shown: SiteState["shown"],
) {
  const kept = new Map<number, Totals>();
  return {
    totals: once(() => totalsOver(gameServers, shown)),
    totalsOf(gameId: number): Totals | undefined {
      const found = kept.get(gameId);
      if (found) return found;
      const game = games.find(({ game_id }) => game_id === gameId);
      if (!game) return undefined;
      const totals = totalsOver(ofGames.get(game.game_slug) ?? [], shown);
      kept.set(gameId, totals);
      return totals;
    },
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Sums over game servers as the stream says them. */
function totalsOver(servers: GameServer[], shown: SiteState["shown"]): Totals {
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

type Seen = {
  gameServers: GameServer[];
  ids: ReadonlySet<number>;
  ofGames: ReadonlyMap<string, GameServer[]>;
  /** The name of the catalog of which they are, and what that name was made from. */
  named?: { of: unknown[]; catalog: string };
};

const audiences = new WeakMap<GameServer[], Map<Audience, Seen>>();

/** The game servers that an audience may see: the same object for as long as the state holds the same list. */
function seenBy(audience: Audience, state: SiteState): Seen {
  const ofAudiences = audiences.get(state.gameServers) ?? new Map<Audience, Seen>();
  audiences.set(state.gameServers, ofAudiences);
  const found = ofAudiences.get(audience);
  if (found) return found;
  const gameServers = state.gameServers.flatMap((server) => asSeenBy(server, audience) ?? []);
  const made: Seen = {
    gameServers,
    ids: new Set(gameServers.map(({ server_id }) => server_id)),
    ofGames: Map.groupBy(gameServers, ({ game_slug }) => game_slug),
  };
  ofAudiences.set(audience, made);
  return made;
}

/** The news that are about everybody, or about something that is seen. */
function newsFor({ games, news }: SiteState, serverIds: ReadonlySet<number>): ShownNews[] {
  if (news.every(({ about }) => about === null)) return news as ShownNews[];
  const seen = {
    gameSlugs: new Map(games.map(({ game_id, game_slug }) => [game_id, game_slug])),
    serverIds,
  };
  return news.flatMap((one) => newsSeenWith(one, seen) ?? []);
}

/** The plans and incidents that name nothing which is hidden from those who see these game servers. */
function announcedTo({ games, plans, incidents }: SiteState, serverIds: ReadonlySet<number>) {
  if (plans.length + incidents.length === 0) return { plans, incidents };
  const seen = {
    gameSlugs: new Set(games.map(({ game_slug }) => game_slug)),
    serverIds,
  };
  return { plans: plansSeenWith(plans, seen), incidents: incidentsSeenWith(incidents, seen) };
}

/** A name for the catalog's content, as an audience sees it; found anew only where something of it is another object. */
export function catalogOf(audience: Audience, state: SiteState): string {
  const { games, settings, plans, incidents } = state;
  const known = seenBy(audience, state);
  const { gameServers, ids } = known;
  // A saved change of one has a moment of its own: its text need not be read again.
  const news = newsFor(state, ids).map(({ news_id, updated_at, holds, about }) => [news_id, updated_at, holds, about]);
  const of = [games, settings, plans, incidents, JSON.stringify(news)];
  if (known.named && of.every((part, n) => part === known.named?.of[n])) return known.named.catalog;
  const announced = announcedTo(state, ids);
  const catalog = createHash("sha256")
    .update(JSON.stringify([games, gameServers, settings, news, announced.plans, announced.incidents]))
    .digest("base64url")
    .slice(0, 12);
  known.named = { of, catalog };
  return catalog;
}
