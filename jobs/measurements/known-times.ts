/** When each game server was known to be up and when to be down: what roll-ups count, with the gaps that only samples show. */
import type { ISql } from "postgres";
import { downtimeOf, type Span, type StatusChangeRow, statusChangeOf } from "#domain/game-servers/downtime.ts";

/** No plan leaves more between two questions than ten minutes, or three intervals of its own. */
const LONGEST_PAUSE_S = 660;
const MOST_INTERVALS = 3;

/** In ms since 1970. */
export type KnownTime = { serverId: number; up: boolean; from: number; to: number };

/** The known times of all game servers within [from, to) (ms): by the changes of their status and what nobody watched. */
export async function findKnownTimes(sql: ISql, from: number, to: number): Promise<KnownTime[]> {
  const rows = await sql<(StatusChangeRow & { server_id: number })[]>`
    SELECT event.server_id, from_status, to_status, failure, failures, ${ms(sql, "changed_at")} AS at_ms,
      ${ms(sql, "last_answered_at")} AS answered_ms, ${ms(sql, "first_failed_at")} AS first_ms,
      ${ms(sql, "last_failed_at")} AS last_ms
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

async function findGaps(sql: ISql, from: number, to: number) {
  const gaps = await sql<{ server_id: number | null; starts_ms: number; ends_ms: number | null }[]>`
    SELECT server_id, ${ms(sql, "starts_at")} AS starts_ms, ${ms(sql, "ends_at")} AS ends_ms FROM gameserver_watch_gap
    WHERE starts_at < ${iso(to)}::timestamptz AND coalesce(ends_at > ${iso(from)}::timestamptz, true)`;
  const [watch] = await sql<{ until_ms: number }[]>`
    SELECT ${ms(sql, "watched_until")} AS until_ms FROM gameserver_watch`;
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
 * Writes down since when a game server gets no turn that says anything, though somebody watches (our own network cannot
 * reach it, for one), and when that ended. By itself its status would stay what it was for ever.
 */
export async function noteSilence(sql: ISql, siteIntervalS: number): Promise<void> {
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
      ) < watched_until - ${longestPause(sql, siteIntervalS)}
    ON CONFLICT DO NOTHING`;
}

/**
 * The same for times from before such gaps were written down, as long as there are samples: and gives the changes of then
 * what an older version did not write beside them.
 */
export async function recoverFromSamples(sql: ISql, from: number, to: number, siteIntervalS: number): Promise<void> {
  const within = (column: string) =>
    sql`${sql(column)} >= ${iso(from)}::timestamptz AND ${sql(column)} < ${iso(to)}::timestamptz`;
  await sql`
    INSERT INTO gameserver_watch_gap (server_id, starts_at, ends_at, reason)
    SELECT server_id, asked_at, next_at, 'not_asked' FROM (
      SELECT server_id, asked_at, coalesce(lead(asked_at) OVER (PARTITION BY server_id ORDER BY asked_at), (
        SELECT min(later.asked_at) FROM gameserver_sample later
        WHERE later.server_id = sample.server_id AND later.asked_at >= ${iso(to)}::timestamptz)) AS next_at
      FROM gameserver_sample sample WHERE ${within("asked_at")}
    ) pause JOIN gameserver USING (server_id)
    WHERE next_at - asked_at - coalesce((
        SELECT sum(least(ends_at, next_at) - greatest(starts_at, asked_at)) FROM gameserver_watch_gap known
        WHERE known.server_id IS NULL AND known.starts_at < next_at AND known.ends_at > asked_at), '0')
      > ${longestPause(sql, siteIntervalS)}
      AND NOT EXISTS (SELECT FROM gameserver_watch_gap known
        WHERE known.server_id = pause.server_id AND known.starts_at = asked_at AND reason = 'not_asked')`;
  await sql`
    UPDATE gameserver_status_event event SET last_answered_at = told.answered_at,
      first_failed_at = told.first_at, last_failed_at = told.last_at, failures = told.failures
    FROM gameserver_status_event change, LATERAL (
      SELECT max(asked_at) AS answered_at FROM gameserver_sample
      WHERE server_id = change.server_id AND asked_at < change.changed_at AND asked_at > change.changed_at - interval '1 day'
        AND status = 'online'
    ) answer, LATERAL (
      SELECT answer.answered_at, min(asked_at) AS first_at, max(asked_at) AS last_at, count(*) AS failures
      FROM gameserver_sample
      WHERE server_id = change.server_id AND asked_at > coalesce(answer.answered_at, change.changed_at - interval '1 day')
        AND asked_at <= change.changed_at AND status IN ('degraded', 'offline')
    ) told
    WHERE event.event_id = change.event_id AND change.failures IS NULL AND change.to_status <> 'unknown'
      AND ${within("change.changed_at")} AND (told.failures > 0 OR change.to_status = 'online')`;
}

/**
 * An older version forgot the status of a game server (retired, at another address) without an event: by its events alone it
 * would be for ever what it was then. To be called once.
 */
export async function noteForgotten(sql: ISql): Promise<void> {
  await sql`
    INSERT INTO gameserver_status_event (server_id, from_status, to_status, changed_at, failures)
    SELECT server_id, last.to_status, 'unknown', greatest(coalesce(live.status_since, now()), last.changed_at), 0
    FROM gameserver_live_metrics live, LATERAL (
      SELECT to_status, changed_at FROM gameserver_status_event event WHERE event.server_id = live.server_id
      ORDER BY changed_at DESC, event_id DESC LIMIT 1
    ) last WHERE live.status = 'unknown' AND last.to_status <> 'unknown'`;
}

/** The longest that any plan leaves between two questions to a game server, of the row that is looked at. */
const longestPause = (sql: ISql, siteIntervalS: number) =>
  sql`greatest(${LONGEST_PAUSE_S}::int, ${MOST_INTERVALS}::int * coalesce(poll_interval_s, ${siteIntervalS}::int)) * interval '1 second'`;

const ms = (sql: ISql, column: string) => sql`(extract(epoch FROM ${sql(column)}) * 1000)::float8`;
const iso = (at: number) => new Date(at).toISOString();
