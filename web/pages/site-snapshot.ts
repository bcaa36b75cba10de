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
  const made = { ...snapshot, site_url: origin };
  if (known.size < MOST_ORIGINS) known.set(origin, made);
  return made;
}

/** Cuts the state for an audience. */
export function snapshotFor(
  audience: Audience,
  state: SiteState,
  rest: Pick<SiteSnapshot, "epoch" | "seq" | "demo" | "site_url" | "poll_interval_s">,
): SiteSnapshot {
  const { games, settings } = state;
  const gameServers = seenBy(audience, state);
  return {
    ...rest,
    catalog: catalogOf(audience, state),
    games,
    gameServers,
    live: gameServers.flatMap(({ server_id }) => state.shown.get(server_id) ?? []),
    ...figuresById(games, gameServers, state),
    asked: new Map(
      gameServers.map(({ server_id }) => {
        const measured = state.measured.get(server_id);
        return [
          server_id,
          {
            first_at: measured?.first_asked_at?.toISOString() ?? null,
            at: measured?.last_asked_at?.toISOString() ?? null,
            latency_ms: measured?.latency_ms ?? null,
          },
        ];
      }),
    ),
    places: new Map(gameServers.flatMap(({ server_id }) => placesOf(server_id, state.sights.get(server_id)))),
    news: newsFor(state, gameServers),
    ...announcedTo(state, gameServers),
    settings,
    delayed_since: state.delayedSince,
  };
}

/** The figures by id, made when the first of a kind is asked for. */
function figuresById(games: Game[], gameServers: GameServer[], { shown, measured }: SiteState) {
  const servers = once(() => new Map(gameServers.map((server) => [server.server_id, server])));
  const ofGames = once(() => Map.groupBy(gameServers, ({ game_slug }) => game_slug));
  const slugs = once(() => new Map(games.map(({ game_id, game_slug }) => [game_id, game_slug])));
  const site = once(() => totalsOver(gameServers, shown));
  const kept = new Map<number, Totals>();
  return {
    rowOf: (id: number) => (servers().has(id) ? shown.get(id) : undefined),
    askedOf: (id: number) => (servers().has(id) ? (measured.get(id)?.last_asked_at?.toISOString() ?? null) : null),
    totals: site,
    totalsOf(gameId: number): Totals | undefined {
      const slug = slugs().get(gameId);
      if (slug === undefined) return undefined;
      const totals = kept.get(gameId) ?? totalsOver(ofGames().get(slug) ?? [], shown);
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

const seenBy = (audience: Audience, { gameServers }: SiteState) =>
  gameServers.flatMap((server) => asSeenBy(server, audience) ?? []);

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

/** A name for the catalog's content, as an audience sees it. */
export function catalogOf(audience: Audience, state: SiteState): string {
  const { games, settings } = state;
  const gameServers = seenBy(audience, state);
  // A saved change of one has a moment of its own: its text need not be read again.
  const news = newsFor(state, gameServers).map(({ news_id, updated_at, holds, about }) => [
    news_id,
    updated_at,
    holds,
    about,
  ]);
  const { plans, incidents } = announcedTo(state, gameServers);
  return createHash("sha256")
    .update(JSON.stringify([games, gameServers, settings, news, plans, incidents]))
    .digest("base64url")
    .slice(0, 12);
}
