// Implements reading without a key: the site, its games and game servers, their measurements, and their history.
import { z } from "zod";
import { GAME_SERVER_IN_API } from "#domain/game-servers/fields.ts";
import { readHistoryRange } from "#domain/game-servers/history.ts";
import { GAME_IN_API } from "#domain/games/fields.ts";
import { pick } from "#domain/visible-fields.ts";
import { formatAddress, joinableCode, joinableHost, joinFacts, joinHref } from "#shared/join-href.ts";
import { MOST_TOPICS_LENGTH, readTopics } from "#shared/live/live-topics.ts";
import { gameServerOf } from "../pages/catalog-index.ts";
import type { SiteSnapshot } from "../pages/site-snapshot.ts";
import type { Operation } from "./operation.ts";
import { problem } from "./problem.ts";
import {
  GAME,
  GAME_LIST,
  GAME_SERVER,
  HISTORY,
  METRICS,
  METRICS_LIST,
  type PublicGame,
  type PublicGameServer,
  type PublicMetrics,
  SERVER_LIST,
  SITE,
  statusShape,
} from "./public-shapes.ts";

const id = z.int().min(1).max(2_147_483_647);
/** Topics separated by commas, or none: a misspelt one is refused, so that no program waits for it. */
const shows = z
  .string()
  .max(MOST_TOPICS_LENGTH)
  .refine(
    (text) => text === "" || text.split(",").every((word) => readTopics(word)?.length === 1),
    "`site`, or `g` or `s` and an id, with commas between.",
  )
  .refine((text) => readTopics(text) !== null, "More than a stream tells of.");
const paging = {
  page: z.int().min(1).max(100_000).default(1).meta({ description: "Counted from 1; one behind the last is empty." }),
  per_page: z.int().min(1).max(100).default(50),
};
const filters = {
  game: z.string().min(1).max(80).optional().meta({ description: "Of one game, by its `game_slug`." }),
  status: statusShape.optional(),
};

function page<Row>(rows: Row[], query: { page?: unknown; per_page?: unknown }) {
  const [number, size] = [Number(query.page), Number(query.per_page)];
  return {
    data: rows.slice((number - 1) * size, number * size),
    page: number,
    pages: Math.max(1, Math.ceil(rows.length / size)),
    total: rows.length,
  };
}

function showGame(site: SiteSnapshot, game: SiteSnapshot["games"][number]): PublicGame {
  const { players_online = 0, servers_total = 0 } = site.totalsOf(game.game_id) ?? {};
  const url = `${site.site_url}/games/${game.game_slug}`;
  return { ...pick(game, GAME_IN_API), url, server_count: servers_total, players_now: players_online };
}

type Server = SiteSnapshot["gameServers"][number];

/** Gets a game server's measurements; null for a moment after its creation. */
function showMetrics(site: SiteSnapshot, { server_id, server_name }: Server): PublicMetrics | null {
  const row = site.rowOf(server_id);
  const asked = site.asked.get(server_id);
  return row ? { ...row, server_name, asked_at: asked?.at ?? null, latency_ms: asked?.latency_ms ?? null } : null;
}

function showServer(site: SiteSnapshot, server: Server, live: PublicMetrics): PublicGameServer {
  const host = joinableHost(server);
  const url = `${site.site_url}/servers/${server.server_id}`;
  const seen = server.visibility === "public";
  return {
    ...pick(server, GAME_SERVER_IN_API),
    game_slug: server.game_slug,
    game_name: server.game_name,
    visibility: seen ? "public" : "members",
    host,
    game_port: host === null ? null : server.game_port,
    address: formatAddress(host, server.game_port),
    join_link: joinHref(server.join_link, joinFacts(server)),
    join_code: joinableCode(server),
    password: host === null ? null : server.password,
    url,
    badge_url: seen ? `${url}/badge.svg` : null,
    widget_url: seen ? `${url}/widget` : null,
    live,
  };
}

/** Lists matching game servers with their figures. One created a moment ago is included without figures. */
function listServers(site: SiteSnapshot, query: { game?: unknown; status?: unknown }) {
  return site.gameServers.flatMap((server) => {
    if (query.game !== undefined && server.game_slug !== query.game) return [];
    if (query.status !== undefined && site.rowOf(server.server_id)?.status !== query.status) return [];
    const live = showMetrics(site, server);
    return live ? [{ server, live }] : [];
  });
}

const TAG = "Reading";
const game_id = z.object({ game_id: id });
const server_id = z.object({ server_id: id });

export const READING: Operation[] = [
  {
    id: "readSite",
    method: "get",
    path: "/site",
    tag: TAG,
    access: "anybody",
    summary: "The site, and how much is going on",
    gives: { status: 200, shape: SITE, about: "The site." },
    read: (site) => {
      const { players_online, servers_online, servers_total } = site.totals();
      return {
        site_name: site.settings.site_name,
        site_url: site.site_url,
        version: "v1",
        openapi_url: `${site.site_url}/api/v1/openapi.json`,
        reference_url: `${site.site_url}/developers`,
        servers_online,
        servers_total,
        players_now: players_online,
        delayed_since: site.delayed_since,
      };
    },
  },
  {
    id: "listGames",
    method: "get",
    path: "/games",
    tag: TAG,
    access: "anybody",
    summary: "The games, in the order of the home page",
    query: z.strictObject(paging),
    gives: { status: 200, shape: GAME_LIST, about: "One page of the games.", headers: ["Link"] },
    read: (site, { query }) => {
      const { data, ...rest } = page(site.games, query);
      return { data: data.map((game) => showGame(site, game)), ...rest };
    },
  },
  {
    id: "readGame",
    method: "get",
    path: "/games/{game_id}",
    tag: TAG,
    access: "anybody",
    summary: "One game",
    params: game_id,
    gives: { status: 200, shape: GAME, about: "The game." },
    read: (site, { params }) => {
      const game = site.games.find((one) => one.game_id === params.game_id);
      return game ? showGame(site, game) : null;
    },
  },
  {
    id: "listServers",
    method: "get",
    path: "/servers",
    tag: TAG,
    access: "anybody",
    summary: "The game servers, each with what is measured of it",
    query: z.strictObject({ ...filters, ...paging }),
    gives: { status: 200, shape: SERVER_LIST, about: "One page of the game servers.", headers: ["Link"] },
    read: (site, { query }) => {
      const { data, ...rest } = page(listServers(site, query), query);
      return { data: data.map(({ server, live }) => showServer(site, server, live)), ...rest };
    },
  },
  {
    id: "readServer",
    method: "get",
    path: "/servers/{server_id}",
    tag: TAG,
    access: "anybody",
    summary: "One game server",
    params: server_id,
    gives: { status: 200, shape: GAME_SERVER, about: "The game server." },
    read: (site, { params }) => {
      const server = gameServerOf(site, Number(params.server_id));
      const live = server && showMetrics(site, server);
      return server && live ? showServer(site, server, live) : null;
    },
  },
  {
    id: "listMetrics",
    method: "get",
    path: "/metrics",
    tag: TAG,
    access: "anybody",
    summary: "What is measured, of all game servers",
    query: z.strictObject({ ...filters, ...paging }),
    gives: { status: 200, shape: METRICS_LIST, about: "One page of the figures.", headers: ["Link"] },
    read: (site, { query }) => {
      const { data, ...rest } = page(listServers(site, query), query);
      return { data: data.map(({ live }) => live), ...rest };
    },
  },
  {
    id: "readMetrics",
    method: "get",
    path: "/servers/{server_id}/metrics",
    tag: TAG,
    access: "anybody",
    summary: "What is measured, of one game server",
    params: server_id,
    gives: { status: 200, shape: METRICS, about: "The figures." },
    read: (site, { params }) => {
      const server = gameServerOf(site, Number(params.server_id));
      return server ? showMetrics(site, server) : null;
    },
  },
  {
    id: "readHistory",
    method: "get",
    path: "/servers/{server_id}/history",
    tag: TAG,
    access: "anybody",
    summary: "How many people were on, and when it was down",
    params: server_id,
    query: z.strictObject({ range: z.enum(["24h", "7d", "30d", "1y"]).default("24h") }),
    gives: {
      status: 200,
      shape: HISTORY,
      about: "The points of the range. Read again after a minute at the earliest.",
    },
    fetch: async ({ app, site, params, query }) => {
      const server = gameServerOf(site, Number(params.server_id));
      const range = readHistoryRange(String(query.range));
      if (!server || !range) return problem(404, "There is no such game server.");
      const { body, etag } = await app.histories.chart(server.server_id, range);
      return new Response(body, { headers: { "Content-Type": "application/json; charset=utf-8", ETag: etag } });
    },
  },
  {
    id: "readLive",
    method: "get",
    path: "/live",
    tag: TAG,
    access: "anybody",
    elsewhere: true,
    summary: "The live stream: every change in the moment it is known",
    about:
      "Server-sent events. First `session` and `snapshot` (LiveSnapshot), then `delta` (LiveDelta) for each change, `pulse` (LivePulse) every 30 seconds, and `bye` with milliseconds to wait before the program comes back. With `since` = `epoch.seq.catalog` of the last event only what was missed is sent. With `shows` it tells of what that names alone, and of each change the fields that changed (LiveChangedFields): `site` for the totals of the site, `g` and an id for those of a game, `s` and an id for a game server, with commas between, at most 600. At most 20 streams from one address.",
    query: z.strictObject({
      since: z.string().max(100).optional(),
      shows: shows.optional(),
    }),
    gives: { status: 200, type: "text/event-stream", about: "The stream; it does not end by itself." },
  },
];
