// Measurements of game servers, and the rule that turns a measurement into the displayed status.

import { inArray, type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { gameserver, gameserverLiveMetrics } from "#db/schema/index.ts";
import { LONGEST_OFFLINE_S, offlineEveryS } from "#shared/asked-every.ts";
import type { LiveRow } from "#shared/live-row.ts";
import { type ShownStatus, UNMEASURED } from "#shared/statuses.ts";
import { placesThatReach, type Sight } from "../outposts/sights.ts";
import type { GameServer } from "./game-servers.ts";

/** A stored measurement: the columns that a LiveRow is made of, the first and the last check, and whether it ever answered. */
export type LiveMetrics = Awaited<ReturnType<typeof listLiveMetrics>>[number];

/** Stored measurements of the given game servers, or of all. */
export function listLiveMetrics(db: Db, serverIds?: number[]) {
  const table = gameserverLiveMetrics;
  return db
    .select({
      server_id: table.server_id,
      status: table.status,
      user_online: table.user_online,
      bots_online: table.bots_online,
      user_max_measured: table.user_max_measured,
      user_peak: table.user_peak,
      user_peak_at: table.user_peak_at,
      user_peak_24h: table.user_peak_24h,
      user_peak_7d: table.user_peak_7d,
      version_measured: table.version_measured,
      map: table.map,
      password_protected: table.password_protected,
      status_since: table.status_since,
      first_asked_at: firstAskedAt,
      last_asked_at: table.last_asked_at,
      has_answered: sql<boolean>`${table.last_answered_at} is not null`,
      latency_ms: table.latency_ms,
      failure: table.failure,
    })
    .from(table)
    .where(serverIds && inArray(table.server_id, serverIds));
}

/** True if it was ever found up or down: false if never polled, or waiting for its first heartbeat. */
export const everKnown = sql`(${gameserverLiveMetrics.status} <> 'unknown' or ${gameserverLiveMetrics.last_answered_at} is not null)`;

/** Until a first result is known, no history is collected. */
const firstAskedAt: SQL<Date | null> =
  sql`case when ${everKnown} then ${gameserverLiveMetrics.first_asked_at} end`.mapWith(
    gameserverLiveMetrics.first_asked_at,
  );

/** Lists when each game server was last polled; freshness is judged by it. */
export function listAskedAt(db: Db) {
  return db
    .select({
      server_id: gameserverLiveMetrics.server_id,
      last_asked_at: gameserverLiveMetrics.last_asked_at,
      latency_ms: gameserverLiveMetrics.latency_ms,
    })
    .from(gameserverLiveMetrics);
}

/** A result counts for three intervals; then the status is unknown. */
const FRESH_INTERVALS = 3;

/**
 * Builds the displayed row: the lifecycle wins, then age, then the measurement. `now` in ms.
 * @param sights the outposts' results for it
 */
export function presentLiveRow(
  measured: LiveMetrics,
  server: GameServer,
  siteIntervalS: number,
  now: number,
  sights: readonly Sight[] = [],
): LiveRow {
  const status = shownStatus(measured, server, siteIntervalS, now);
  // Players online during maintenance are staff; don't count them.
  const counted = status === "online" || status === "degraded";
  const unreached = server.lifecycle === "active" && status !== "online" && measured.last_asked_at !== null;
  const places = unreached ? placesThatReach(sights, measured, now) : [];
  return {
    server_id: measured.server_id,
    status,
    user_online: counted ? measured.user_online : null,
    ...(counted && measured.bots_online ? { bots_online: measured.bots_online } : {}),
    user_max: measured.user_max_measured ?? server.user_max,
    user_peak: measured.user_peak,
    user_peak_at: measured.user_peak_at?.toISOString() ?? null,
    user_peak_24h: measured.user_peak_24h,
    user_peak_7d: measured.user_peak_7d,
    version: measured.version_measured ?? server.version,
    map: counted ? measured.map : null,
    ...(counted && measured.password_protected ? { password_protected: true as const } : {}),
    status_since: measured.status_since?.toISOString() ?? null,
    ...(isFresh(measured, server, siteIntervalS, now) && unknownReason(measured, status)),
    ...(places.length > 0 ? { reachable_from: places } : {}),
  };
}

/** `offlineEveryS` of an interval, in SQL. */
const offlineEveryInSql = (intervalS: SQL): SQL =>
  sql`greatest(${intervalS}, least(4 * ${intervalS}, ${LONGEST_OFFLINE_S}::int))`;

/** The same rule in SQL, for filtered lists: the status of a joined game server and its measurement. */
export function shownStatusInSql(siteIntervalS: number): SQL<ShownStatus> {
  const { status, last_asked_at, last_answered_at } = gameserverLiveMetrics;
  const interval = sql`coalesce(${gameserver.poll_interval_s}, ${siteIntervalS}::int)`;
  return sql<ShownStatus>`case
    when ${gameserver.lifecycle} = 'retired' then 'inactive'
    when ${gameserver.lifecycle} = 'maintenance' then 'maintenance'
    when ${last_asked_at} is null or ${last_asked_at} < now() - interval '1 second' * ${FRESH_INTERVALS}::int
      * (case ${status} when 'offline' then ${offlineEveryInSql(interval)} else ${interval} end) then 'unknown'
    when ${status} = 'degraded' and ${last_answered_at} is null then 'unknown'
    else ${status} end`;
}

function shownStatus(measured: LiveMetrics, server: GameServer, siteIntervalS: number, now: number): ShownStatus {
  if (server.lifecycle !== "active") return UNMEASURED[server.lifecycle];
  if (!isFresh(measured, server, siteIntervalS, now)) return "unknown";
  // Degraded means it was up before. This one has never been up.
  if (measured.status === "degraded" && !measured.has_answered) return "unknown";
  return measured.status;
}

/** Says why a server is unknown, by its last check; `{}` where the check says nothing of that. */
function unknownReason(
  { status, failure, has_answered }: LiveMetrics,
  shown: ShownStatus,
): Pick<LiveRow, "unknown_reason"> {
  if (shown !== "unknown" || status !== "unknown") return {};
  if (failure === "malformed") return { unknown_reason: "unreadable" };
  const isSilent = failure === "no_reply" || failure === "timeout";
  return isSilent && !has_answered ? { unknown_reason: "no_answer" } : {};
}

/** True if the last result still counts. */
function isFresh(measured: LiveMetrics, server: GameServer, siteIntervalS: number, now: number): boolean {
  if (measured.last_asked_at === null) return false;
  const intervalS = server.poll_interval_s ?? siteIntervalS;
  const planned = measured.status === "offline" ? offlineEveryS(intervalS) : intervalS;
  return now - measured.last_asked_at.getTime() <= planned * FRESH_INTERVALS * 1000;
}
