/** Claims due game servers for this collector, so that several collectors never poll the same one twice. */
import { fragment, type Queryable, raw } from "#db/sql.ts";
import {
  ADAPTER_IDS,
  type AdapterId,
  type AdapterOptions,
  ASKED_ADAPTERS,
  type SealedSecrets,
  TELLING_DETAILS,
  TELLING_NAMES,
} from "#shared/adapters.ts";
import type { MeasuredStatus } from "#shared/statuses.ts";
import type { MeasuredState } from "./judge.ts";
import { claimForMs } from "./schedule.ts";

/** A game server claimed by this collector until `claimedUntil`. Times are ms of the database's clock. */
export type Claimed = {
  serverId: number;
  serverName: string;
  adapter: AdapterId;
  options: AdapterOptions;
  /** Encrypted, as stored. */
  secrets: SealedSecrets;
  host: string | null;
  gamePort: number | null;
  queryPort: number | null;
  intervalMs: number;
  plannedAt: number;
  claimedUntil: number;
  /** A client waits for it (domain/game-servers/waiting.ts). */
  waited: boolean;
  heartbeat: { at: number; players: number | null; max: number | null; version: string | null } | null;
  state: MeasuredState;
  /** Also query its description this time. */
  wantsDetails?: boolean;
  /** Also query player names: an admin has turned the list on. */
  wantsNames?: boolean;
};

/**
 * Most claims ahead per host of servers whose last poll failed. Each address is polled one at a time, for two seconds if silent:
 * more would let their claims expire while waiting, and those waiting in the table take turns.
 */
export const MOST_FAILING_OF_HOST = 3;

/** Least interval for descriptions, which change rarely and are longer than figures. */
const DETAILS_EVERY_S = 600;

type ClaimedRow = {
  now_ms: number;
  next_due_ms: number | null;
  server_id: number | null;
  server_name: string;
  adapter: Claimed["adapter"];
  adapter_options: AdapterOptions;
  adapter_secrets: SealedSecrets;
  host: string | null;
  game_port: number | null;
  query_port: number | null;
  interval_ms: number;
  planned_at: number;
  claimed_until: number;
  waited: boolean;
  heartbeat_at: number | null;
  heartbeat_players: number | null;
  heartbeat_max: number | null;
  heartbeat_version: string | null;
  status: MeasuredStatus;
  status_since: number | null;
  user_online: number | null;
  bots_online: number | null;
  user_max_measured: number | null;
  version_measured: string | null;
  map: string | null;
  password_protected: boolean | null;
  last_asked_at: number | null;
  last_answered_at: number | null;
  latency_ms: number | null;
  failure: string | null;
  failures_in_row: number;
  wants_details: boolean;
  wants_names: boolean;
};

/**
 * Claims at most `limit` due game servers, the longest due first, in one statement. Includes servers in maintenance; never retired
 * ones, ones without an address, or with an adapter of a newer version.
 * `databaseNow` is the database's clock in ms; `nextDueMs` the ms until the next of the others is due (0: one is due, but was left
 * out), null if there is none or it isn't wanted.
 * Of those at one host whose last poll failed, claims only the few longest due: they wait for each other, and must not block
 * others.
 * @param busyHosts hosts to claim no more of
 * @param failingHosts hosts to claim no more failing servers of
 * @param wantsNext whether `nextDueMs` is wanted: it reads all game servers
 */
export async function claimDue(
  sql: Queryable,
  collectorId: string,
  siteIntervalS: number,
  limit: number,
  busyHosts: string[],
  failingHosts: string[] = [],
  wantsNext = false,
): Promise<{ databaseNow: number; claimed: Claimed[]; nextDueMs: number | null }> {
  const isWatched = fragment`g.lifecycle <> 'retired' AND g.adapter = ANY (${ADAPTER_IDS}::text[])
    AND (g.host IS NOT NULL OR g.adapter <> ALL (${ASKED_ADAPTERS}::text[]))`;
  const isDue = fragment`m.next_poll_at <= now() AND (m.claimed_until IS NULL OR m.claimed_until <= now()) AND ${isWatched}`;
  const rows = await sql<ClaimedRow[]>`
    WITH behind AS (
      SELECT server_id FROM (
        SELECT m.server_id, row_number() OVER (PARTITION BY g.host ORDER BY m.next_poll_at, m.server_id) AS place
        FROM gameserver_live_metrics m JOIN gameserver g USING (server_id)
        WHERE m.failures_in_row > 0 AND g.host IS NOT NULL AND ${isDue}
      ) AS failing WHERE place > ${MOST_FAILING_OF_HOST}
    ), due AS (
      SELECT m.server_id, coalesce(g.poll_interval_s, ${siteIntervalS}::int) AS interval_s,
        g.show_details AND g.adapter = ANY (${TELLING_DETAILS}::text[]) AND m.failures_in_row = 0
          AND coalesce(m.details_asked_at <= now() - ${DETAILS_EVERY_S}::int * interval '1 second', true) AS wants_details,
        g.player_list AND g.visibility <> 'hidden' AND g.lifecycle = 'active'
          AND g.adapter = ANY (${TELLING_NAMES}::text[]) AS wants_names
      FROM gameserver_live_metrics m JOIN gameserver g USING (server_id)
      WHERE ${isDue}
        AND (g.host IS NULL OR g.host <> ALL (${busyHosts}::text[]))
        AND (m.failures_in_row = 0 OR g.host IS NULL OR g.host <> ALL (${failingHosts}::text[]))
        AND m.server_id NOT IN (SELECT server_id FROM behind)
      ORDER BY m.next_poll_at LIMIT ${limit}
      FOR UPDATE OF m SKIP LOCKED
    ), claimed AS (
      UPDATE gameserver_live_metrics m SET
        claimed_by = ${collectorId}::uuid,
        claimed_until = now() + greatest(interval_s * 2, ${claimForMs(0) / 1000}::int) * interval '1 second',
        details_asked_at = CASE WHEN due.wants_details THEN now() ELSE m.details_asked_at END
      FROM due JOIN gameserver g USING (server_id)
      WHERE m.server_id = due.server_id
      RETURNING m.server_id, g.server_name, g.adapter, g.adapter_options, g.adapter_secrets, g.host, g.game_port, g.query_port,
        interval_s * 1000 AS interval_ms, ${ms("next_poll_at")} AS planned_at,
        ${ms("claimed_until")} AS claimed_until, ${ms("heartbeat_at")} AS heartbeat_at,
        EXISTS (SELECT FROM gameserver_wait w WHERE w.server_id = m.server_id AND w.until > now()) AS waited,
        m.heartbeat_players, m.heartbeat_max, m.heartbeat_version,
        m.status, ${ms("status_since")} AS status_since, m.user_online, m.bots_online, m.user_max_measured,
        m.version_measured, m.map, m.password_protected, ${ms("last_asked_at")} AS last_asked_at, ${ms("last_answered_at")} AS last_answered_at,
        m.latency_ms, m.failure, m.failures_in_row, due.wants_details, due.wants_names
    )
    SELECT (extract(epoch FROM now()) * 1000)::float8 AS now_ms, CASE WHEN ${wantsNext}::boolean THEN (
      SELECT (extract(epoch FROM min(greatest(m.next_poll_at, m.claimed_until)) - now()) * 1000)::float8
      FROM gameserver_live_metrics m JOIN gameserver g USING (server_id)
      WHERE ${isWatched} AND m.server_id NOT IN (SELECT server_id FROM claimed)
    ) END AS next_due_ms, claimed.* FROM (SELECT) AS always LEFT JOIN claimed ON true`;
  const claimed = rows.filter((row) => row.server_id !== null).map(toClaimed);
  const nextDueMs = rows[0]?.next_due_ms ?? null;
  return {
    databaseNow: rows[0]?.now_ms ?? Date.now(),
    claimed,
    nextDueMs: nextDueMs === null ? null : Math.max(0, nextDueMs),
  };
}

/** Converts a time to ms since 1970. */
const ms = (column: string) => raw(`(extract(epoch FROM m.${column}) * 1000)::float8`);

function toClaimed(row: ClaimedRow): Claimed {
  return {
    serverId: row.server_id ?? 0,
    serverName: row.server_name,
    adapter: row.adapter,
    options: row.adapter_options,
    secrets: row.adapter_secrets,
    host: row.host,
    gamePort: row.game_port,
    queryPort: row.query_port,
    intervalMs: row.interval_ms,
    plannedAt: row.planned_at,
    claimedUntil: row.claimed_until,
    waited: row.waited,
    heartbeat:
      row.heartbeat_at === null
        ? null
        : {
            at: row.heartbeat_at,
            players: row.heartbeat_players,
            max: row.heartbeat_max,
            version: row.heartbeat_version,
          },
    state: {
      status: row.status,
      statusSince: row.status_since,
      userOnline: row.user_online,
      botsOnline: row.bots_online,
      userMaxMeasured: row.user_max_measured,
      version: row.version_measured,
      map: row.map,
      passwordProtected: row.password_protected,
      lastAskedAt: row.last_asked_at,
      lastAnsweredAt: row.last_answered_at,
      latencyMs: row.latency_ms,
      failure: row.failure,
      failuresInRow: row.failures_in_row,
    },
    wantsDetails: row.wants_details,
    wantsNames: row.wants_names,
  };
}

/** Releases the claims of `collectorId`, except `held`: due again at once, for any collector. */
export async function releaseClaims(sql: Queryable, collectorId: string, held: number[] = []): Promise<void> {
  await sql`
    UPDATE gameserver_live_metrics SET claimed_by = NULL, claimed_until = NULL
    WHERE claimed_by = ${collectorId}::uuid AND server_id <> ALL (${held}::int[])`;
}
