/** Finds when each game server was known to be up or down, for roll-ups; fills in gaps that only samples show. */
import { fragment, type Queryable, raw } from "#db/sql.ts";
import { downtimeOf, type Span, type StatusChangeRow, statusChangeOf } from "#domain/game-servers/downtime.ts";

/** Two polls are never scheduled further apart than ten minutes, or three of the server's own intervals. */
const LONGEST_PAUSE_S = 660;
const MOST_INTERVALS = 3;

/** In ms since 1970. */
export type KnownTime = { serverId: number; up: boolean; from: number; to: number };

/** Finds the known times of all game servers within [from, to) (ms), from status changes and unwatched times. */
export async function findKnownTimes(sql: Queryable, from: number, to: number): Promise<KnownTime[]> {
  const rows = await sql<(StatusChangeRow & { server_id: number })[]>`
    SELECT event.server_id, from_status, to_status, failure, failures, ${ms("changed_at")} AS at_ms,
      ${ms("last_answered_at")} AS answered_ms, ${ms("first_failed_at")} AS first_ms,
      ${ms("last_failed_at")} AS last_ms
    FROM gameserver, LATERAL (
      SELECT max(changed_at) AS at FROM gameserver_status_event before
      WHERE before.server_id = gameserver.server_id AND changed_at < ${iso(from)}::timestamptz AND to_status <> 'degraded'
    ) decided, LATERAL (
      SELECT * FROM gameserver_status_event change WHERE change.server_id = gameserver.server_id
        AND changed_at >= coalesce(decided.at, '-infinity') AND changed_at < ${iso(to)}::timestamptz
    ) event ORDER BY event.server_id, changed_at, event_id`;
  const { ofAll, ofServer, watchedUntil } = await findGaps(sql, from, to);
  const known: KnownTime[] = [];
  for (const [serverId, changes] of Map.groupBy(rows, (row) => row.server_id)) {
    const gaps = [...ofAll, ...(ofServer.get(serverId) ?? [])];
    const { up, down } = downtimeOf(changes.map(statusChangeOf), gaps, from, Math.min(to, watchedUntil));
    for (const [began, ended] of up) known.push({ serverId, up: true, from: began, to: ended });
    for (const [began, ended] of down) known.push({ serverId, up: false, from: began, to: ended });
  }
  return known;
}

async function findGaps(sql: Queryable, from: number, to: number) {
  const gaps = await sql<{ server_id: number | null; starts_ms: number; ends_ms: number | null }[]>`
    SELECT server_id, ${ms("starts_at")} AS starts_ms, ${ms("ends_at")} AS ends_ms FROM gameserver_watch_gap
    WHERE starts_at < ${iso(to)}::timestamptz AND coalesce(ends_at > ${iso(from)}::timestamptz, true)`;
  const [watch] = await sql<{ until_ms: number }[]>`
    SELECT ${ms("watched_until")} AS until_ms FROM gameserver_watch`;
  const ofServer = new Map<number, Span[]>();
  const ofAll: Span[] = [];
  for (const { server_id, starts_ms, ends_ms } of gaps) {
    const gap: Span = [starts_ms, ends_ms ?? to];
    if (server_id === null) ofAll.push(gap);
    else ofServer.set(server_id, [...(ofServer.get(server_id) ?? []), gap]);
  }
  return { ofAll, ofServer, watchedUntil: watch?.until_ms ?? to };
}

/**
 * Records since when a watched game server has had no conclusive poll (because our own network can't reach it, say), and when that
 * ended. Otherwise its status would never change.
 */
export async function noteSilence(sql: Queryable, siteIntervalS: number): Promise<void> {
  await sql`
    UPDATE gameserver_watch_gap gap SET ends_at = coalesce((
      SELECT min(asked_at) FROM gameserver_sample sample
      WHERE sample.server_id = gap.server_id AND sample.asked_at > gap.starts_at), live.last_asked_at)
    FROM gameserver_live_metrics live
    WHERE gap.server_id = live.server_id AND reason = 'not_asked' AND ends_at IS NULL AND live.last_asked_at > starts_at`;
  await sql`
    INSERT INTO gameserver_watch_gap (server_id, starts_at, reason)
    SELECT server_id, last_asked_at, 'not_asked'
    FROM gameserver_live_metrics JOIN gameserver USING (server_id), gameserver_watch
    WHERE status <> 'unknown' AND last_asked_at IS NOT NULL AND greatest(last_asked_at,
        -- After a time in which nobody watched at all everybody is asked again first.
        (SELECT max(ends_at) FROM gameserver_watch_gap WHERE server_id IS NULL)
      ) < watched_until - ${longestPause(siteIntervalS)}
    ON CONFLICT DO NOTHING`;
}

/** SQL: the longest scheduled time between two polls of the current row's game server. */
const longestPause = (siteIntervalS: number) =>
  fragment`greatest(${LONGEST_PAUSE_S}::int, ${MOST_INTERVALS}::int * coalesce(poll_interval_s, ${siteIntervalS}::int)) * interval '1 second'`;

const ms = (column: string) => raw(`(extract(epoch FROM ${column}) * 1000)::float8`);
const iso = (at: number) => new Date(at).toISOString();
