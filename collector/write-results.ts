/** Writes a batch: all results in one statement that changes only rows still claimed by this collector. */
import { raw, type Sql } from "#db/sql.ts";
import { EVENT_KINDS } from "#domain/notifications/event-kinds.ts";
import { FITS_IN_SQL, REARMS_IN_SQL } from "#domain/notifications/watches.ts";
import type { MeasuredStatus } from "#shared/statuses.ts";
import type { FailuresInRow, MeasuredState } from "./judge.ts";

/** Result of one claim. Writing it releases the claim. Times are ms of the database's clock. */
export type Result = {
  serverId: number;
  state: MeasuredState;
  /** The former status if it changed: becomes a status event. */
  changedFrom: MeasuredStatus | null;
  /** Failures for the status event; null if the status stays. */
  failures: FailuresInRow | null;
  /** Players counted by this result; only these enter samples and peaks. */
  counted: number | null;
  /** Whether it is a sample: false if nothing was learned about the server. */
  judged: boolean;
  nextPollAt: number;
  /** When another failure could call it offline, in ms; only for a result that does. */
  confirmAt?: number;
};

/**
 * Writes `results`: live rows with peaks, samples, status events, and notification events: down, back, and player numbers that a
 * follow waits for. A row whose claim expired or was taken away (another collector, a new address) stays unchanged, without sample
 * or event.
 * Returns the ids of the written rows.
 */
export async function writeResults(sql: Sql, collectorId: string, results: Result[]): Promise<number[]> {
  if (results.length === 0) return [];
  const texts = (read: (result: Result) => string | null) => results.map(read);
  const numbers = (read: (result: Result) => number | null) => numberArray(results.map(read));
  const rows = await sql<{ server_id: number }[]>`
    WITH result AS (
      SELECT *, to_timestamp(asked_ms / 1000) AS asked_at FROM unnest(
        ${numbers((r) => r.serverId)}::text::int[],
        ${texts((r) => r.state.status)}::text[],
        ${numbers((r) => r.state.statusSince)}::text::float8[],
        ${numbers((r) => r.state.userOnline)}::text::int[],
        ${numbers((r) => r.state.botsOnline)}::text::int[],
        ${numbers((r) => r.state.userMaxMeasured)}::text::int[],
        ${texts((r) => r.state.version)}::text[],
        ${texts((r) => r.state.map)}::text[],
        ${numbers((r) => asBit(r.state.passwordProtected))}::text::int[],
        ${numbers((r) => r.state.lastAskedAt)}::text::float8[],
        ${numbers((r) => r.state.lastAnsweredAt)}::text::float8[],
        ${numbers((r) => r.state.latencyMs)}::text::int[],
        ${texts((r) => r.state.failure)}::text[],
        ${numbers((r) => r.state.failuresInRow)}::text::smallint[],
        ${numbers((r) => r.nextPollAt)}::text::float8[],
        ${texts((r) => r.changedFrom)}::text[],
        ${numbers((r) => r.failures?.firstAt ?? null)}::text::float8[],
        ${numbers((r) => r.failures?.lastAt ?? null)}::text::float8[],
        ${numbers((r) => r.failures?.count ?? null)}::text::smallint[],
        ${numbers((r) => r.counted)}::text::int[],
        ${numbers((r) => asBit(r.judged))}::text::smallint[]
      ) AS given (server_id, status, since_ms, user_online, bots_online, user_max, version, map, password, asked_ms,
        answered_ms, latency_ms, failure, failures_in_row, next_ms, changed_from, first_failed_ms, last_failed_ms, failures,
        counted, judged)
    ), written AS (
      UPDATE gameserver_live_metrics m SET
        status = r.status,
        status_since = to_timestamp(r.since_ms / 1000),
        user_online = r.user_online,
        bots_online = r.bots_online,
        user_max_measured = r.user_max,
        version_measured = r.version,
        map = r.map,
        password_protected = r.password::boolean,
        last_asked_at = r.asked_at,
        first_asked_at = CASE WHEN r.judged = 1 THEN coalesce(m.first_asked_at, r.asked_at) ELSE m.first_asked_at END,
        last_answered_at = to_timestamp(r.answered_ms / 1000),
        latency_ms = r.latency_ms,
        failure = r.failure,
        failures_in_row = r.failures_in_row,
        user_peak = greatest(m.user_peak, r.counted),
        user_peak_at = CASE WHEN r.counted > coalesce(m.user_peak, -1) THEN r.asked_at ELSE m.user_peak_at END,
        user_peak_24h = greatest(m.user_peak_24h, r.counted),
        user_peak_7d = greatest(m.user_peak_7d, r.counted),
        next_poll_at = to_timestamp(r.next_ms / 1000),
        claimed_by = NULL,
        claimed_until = NULL
      FROM result r
      WHERE m.server_id = r.server_id
        -- As a CASE, because the planner takes "claimed by us" for one row, and then compares every row with every result.
        AND CASE WHEN m.claimed_by = ${collectorId}::uuid AND m.claimed_until > now() THEN true ELSE false END
      -- Only what is read below: each column more is copied for every result.
      RETURNING r.server_id, r.status, r.asked_at, r.answered_ms, r.counted, r.user_max, r.latency_ms, r.failure, r.judged,
        r.changed_from, r.first_failed_ms, r.last_failed_ms, r.failures
    ), sample AS (
      INSERT INTO gameserver_sample (server_id, asked_at, status, user_online, user_max, latency_ms, failure)
      SELECT server_id, asked_at, status, counted, user_max, latency_ms, failure FROM written WHERE judged = 1
    ), event AS (
      INSERT INTO gameserver_status_event (server_id, from_status, to_status, failure, changed_at, last_answered_at,
        first_failed_at, last_failed_at, failures)
      SELECT server_id, changed_from, status, failure, asked_at, to_timestamp(answered_ms / 1000),
        to_timestamp(first_failed_ms / 1000), to_timestamp(last_failed_ms / 1000), failures
      FROM written WHERE changed_from IS NOT NULL
    ), watched AS (
      -- One that somebody changes right now is looked at with the next result: nobody waits here.
      -- Few are watched: a join would look up the game server of every result first.
      SELECT w.server_id, w.kind, w.threshold, r.asked_at, r.counted AS online,
        coalesce(r.user_max, (SELECT s.user_max FROM gameserver s WHERE s.server_id = w.server_id)) AS most
      FROM notification_watches w JOIN written r USING (server_id)
      WHERE r.counted IS NOT NULL AND r.status = 'online'
        -- Where nobody watches, no result is looked up.
        AND EXISTS (SELECT FROM notification_watches)
      FOR UPDATE OF w SKIP LOCKED
    ), crossed AS (
      UPDATE notification_watches w SET armed = NOT w.armed, fired_at = CASE WHEN w.armed THEN now() ELSE w.fired_at END
      FROM (SELECT *, ${raw(FITS_IN_SQL("online", "most"))} AS fits, ${raw(REARMS_IN_SQL("online", "most"))} AS clear FROM watched) AS seen
      WHERE (w.server_id, w.kind, w.threshold) = (seen.server_id, seen.kind, seen.threshold)
        AND CASE WHEN w.armed THEN seen.fits ELSE seen.clear END
      RETURNING seen.*, NOT w.armed AS fired
    ), told AS (
      INSERT INTO notification_events (kind, server_id, facts, dedupe_key, happened_at, expires_at)
      SELECT kind, server_id, facts, concat_ws(':', kind, server_id, facts->>'threshold', (extract(epoch FROM asked_at) * 1000)::bigint),
        asked_at, asked_at + interval '1 second' * (${JSON.stringify(LIFETIMES_S)}::text::jsonb->>kind)::int
      FROM (
        SELECT CASE status WHEN 'online' THEN 'server_up' ELSE 'server_down' END AS kind, server_id, asked_at,
          jsonb_strip_nulls(jsonb_build_object('failure', failure)) AS facts
        FROM written WHERE (changed_from IS NOT NULL AND status = 'offline') OR (status = 'online' AND CASE changed_from
          WHEN 'offline' THEN true
          -- Down, and then not known at all (its name was lost, it has another address, somebody worked on it): to whoever waits
          -- it is back. What went down in a maintenance is no outage.
          WHEN 'unknown' THEN 'offline' = (
            SELECT CASE e.to_status WHEN 'unknown' THEN e.from_status ELSE e.to_status END FROM gameserver_status_event e
            WHERE e.server_id = written.server_id AND NOT (e.to_status = 'offline' AND EXISTS (
              SELECT FROM gameserver_watch_gap gap WHERE gap.server_id = e.server_id AND gap.reason = 'maintenance'
                AND gap.starts_at <= e.changed_at AND coalesce(gap.ends_at > e.changed_at, true)))
            ORDER BY e.changed_at DESC LIMIT 1)
          ELSE false END)
        UNION ALL
        SELECT kind, server_id, asked_at, jsonb_strip_nulls(jsonb_build_object(
          'threshold', nullif(threshold, 0), 'user_online', online, 'user_max', most))
        FROM crossed WHERE fired
      ) AS happened
      ON CONFLICT (dedupe_key) DO NOTHING
    )
    SELECT server_id FROM written`;
  return rows.map((row) => row.server_id);
}

/** Returns the results that match what was last written to their rows: these were written, even if the answer was lost. */
export async function listWritten(sql: Sql, results: Result[]): Promise<Result[]> {
  if (results.length === 0) return [];
  const rows = await sql<{ server_id: number }[]>`
    SELECT m.server_id FROM gameserver_live_metrics m
    JOIN unnest(
      ${numberArray(results.map((r) => r.serverId))}::text::int[],
      ${numberArray(results.map((r) => r.state.lastAskedAt))}::text::float8[]
    ) AS given (server_id, asked_ms) ON m.server_id = given.server_id
    WHERE m.last_asked_at = to_timestamp(given.asked_ms / 1000)`;
  const written = new Set(rows.map((row) => row.server_id));
  return results.filter(({ serverId }) => written.has(serverId));
}

const LIFETIMES_S = Object.fromEntries(Object.entries(EVENT_KINDS).map(([kind, { lifetimeS }]) => [kind, lifetimeS]));

const asBit = (value: boolean | null): number | null => (value === null ? null : Number(value));

/** Formats numbers as a Postgres array. JSON differs only in its brackets, and is several times as fast as the driver. */
function numberArray(values: (number | null)[]): string {
  return `{${JSON.stringify(values).slice(1, -1)}}`;
}
