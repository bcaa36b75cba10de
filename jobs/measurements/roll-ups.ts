/** Rolls samples and known up and down times up into rows of five minutes, an hour and a day. */
import { fragment, type Queryable, raw } from "#db/sql.ts";
import type { Exclusively } from "../exclusively.ts";
import { findKnownTimes, type KnownTime, noteSilence } from "./known-times.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Most time per transaction, however much there is to catch up on. */
const CHUNK_MS = 6 * HOUR_MS;
/** Results are written up to one interval late, and an interval is at most an hour: recompute this much each time. */
const OVERLAP_MS = 65 * 60_000;
const STEP_MS = 300_000;

/**
 * Brings the roll-ups up to now: idempotent, resumable after every chunk; `signal` stops it after one. Current hours and days
 * contain what there is so far. Unwatched time gets no row, and rows whose samples are gone keep their figures.
 * @returns the chunks written; 0 when another collector runs it, or no five minutes have ended since the last time
 */
export async function rollUp(exclusively: Exclusively, siteIntervalS: number, signal?: AbortSignal): Promise<number> {
  let chunks = 0;
  for (;;) {
    const state = (await exclusively((transaction) => rollUpChunk(transaction, siteIntervalS))) ?? "skipped";
    if (state !== "skipped") chunks++;
    if (state !== "more" || signal?.aborted) return chunks;
  }
}

async function rollUpChunk(transaction: Queryable, siteIntervalS: number): Promise<"skipped" | "more" | "done"> {
  const [progress] = await transaction<{ now_ms: number; until_ms: number | null }[]>`
    SELECT (extract(epoch FROM now()) * 1000)::float8 AS now_ms, (extract(epoch FROM rolled_until) * 1000)::float8 AS until_ms
    FROM (SELECT) AS always LEFT JOIN gameserver_rollup_progress ON true`;
  const now = progress?.now_ms ?? Date.now();
  // Only finished time: a five-minute row is complete at once, except for late results.
  const closed = floorTo(now, STEP_MS);
  if (progress?.until_ms === closed) return "skipped";
  const until = progress?.until_ms ?? (await oldestSample(transaction, now));
  // A clock that ran ahead left its progress in the future: then recompute the last hour from now.
  const from = floorTo(Math.min(until, closed) - OVERLAP_MS, STEP_MS);
  const to = Math.min(from + CHUNK_MS, closed);
  await noteSilence(transaction, siteIntervalS);
  if (from < to) {
    await rollSamples(transaction, from, to);
    await widen(transaction, "5m", "1h", from, to);
    await widen(transaction, "1h", "1d", from, to);
  }
  await transaction`
    INSERT INTO gameserver_rollup_progress (rolled_until) VALUES (${iso(to)}::timestamptz)
    ON CONFLICT ("only") DO UPDATE SET rolled_until = excluded.rolled_until`;
  return to < closed ? "more" : "done";
}

/**
 * Writes five-minute rows for [from, to): their samples, and the seconds for which each game server is known to have been up or
 * down. A row with only such seconds (`asked` is 0) belongs to a server that is polled less often.
 */
async function rollSamples(sql: Queryable, from: number, to: number): Promise<void> {
  const known = await findKnownTimes(sql, from, to);
  const numbers = (read: (time: KnownTime) => number) => `{${known.map(read).join(",")}}`;
  const within = fragment`>= ${iso(from)}::timestamptz`;
  const before = fragment`< ${iso(to)}::timestamptz`;
  await sql`
    WITH counted AS (
      SELECT server_id, to_timestamp(step * 300) AS starts_at,
        sum(seconds) FILTER (WHERE up = 1) AS up_s, sum(seconds) FILTER (WHERE up = 0) AS down_s
      FROM unnest(${numbers((time) => time.serverId)}::text::int[], ${numbers((time) => (time.up ? 1 : 0))}::text::int[],
        ${numbers((time) => time.from / 1000)}::text::float8[], ${numbers((time) => time.to / 1000)}::text::float8[])
        AS time (server_id, up, began, ended),
        generate_series(floor(began / 300)::bigint, (ceil(ended / 300) - 1)::bigint) AS step,
        -- The ends are rounded, not the lengths, so that the sum over many rows is exact.
        LATERAL (SELECT round(least(ended, (step + 1) * 300)) - round(greatest(began, step * 300)) AS seconds) part
      GROUP BY 1, 2
    ), asked AS (
      SELECT server_id, date_bin('5 minutes', asked_at, 'epoch') AS starts_at,
        min(user_online) AS low, max(user_online) AS high, sum(user_online) AS total,
        count(user_online) AS users, count(*) AS times
      FROM gameserver_sample WHERE asked_at ${within} AND asked_at ${before}
      GROUP BY 1, 2
    ), made AS (
      SELECT server_id, starts_at FROM gameserver JOIN gameserver_rollup_5m USING (server_id)
      WHERE starts_at ${within} AND starts_at ${before}
    )
    INSERT INTO gameserver_rollup_5m AS rollup
      (server_id, starts_at, user_min, user_max, user_sum, user_count, asked, up_s, down_s)
    SELECT server_id, starts_at, low, high, coalesce(total, 0), coalesce(users, 0), coalesce(times, 0),
      coalesce(counted.up_s, 0), coalesce(counted.down_s, 0)
    FROM asked FULL JOIN counted USING (server_id, starts_at) FULL JOIN made USING (server_id, starts_at)
      JOIN gameserver USING (server_id)
    WHERE times > 0 OR counted.up_s > 0 OR counted.down_s > 0 OR made.server_id IS NOT NULL
    ON CONFLICT (server_id, starts_at) DO UPDATE SET
      user_min = CASE WHEN excluded.asked > 0 THEN excluded.user_min ELSE rollup.user_min END,
      user_max = CASE WHEN excluded.asked > 0 THEN excluded.user_max ELSE rollup.user_max END,
      user_sum = CASE WHEN excluded.asked > 0 THEN excluded.user_sum ELSE rollup.user_sum END,
      user_count = CASE WHEN excluded.asked > 0 THEN excluded.user_count ELSE rollup.user_count END,
      asked = greatest(excluded.asked, CASE WHEN excluded.asked > 0 THEN 0 ELSE rollup.asked END),
      up_s = excluded.up_s, down_s = excluded.down_s
    WHERE (rollup.up_s, rollup.down_s) IS DISTINCT FROM (excluded.up_s, excluded.down_s) OR (excluded.asked > 0
      AND (rollup.user_min, rollup.user_max, rollup.user_sum, rollup.user_count, rollup.asked)
        IS DISTINCT FROM (excluded.user_min, excluded.user_max, excluded.user_sum, excluded.user_count, excluded.asked))`;
}

/** Recomputes the wider rows that [from, to) touches from all their narrower rows. */
async function widen(sql: Queryable, narrow: "5m" | "1h", wide: "1h" | "1d", from: number, to: number): Promise<void> {
  const width = wide === "1h" ? HOUR_MS : DAY_MS;
  await sql`
    INSERT INTO ${raw(`gameserver_rollup_${wide}`)} AS rollup
      (server_id, starts_at, user_min, user_max, user_sum, user_count, asked, up_s, down_s)
    SELECT server_id, date_bin(${wide === "1h" ? "1 hour" : "1 day"}::interval, starts_at, 'epoch'), min(narrow.user_min),
      max(narrow.user_max), sum(user_sum), sum(user_count), sum(asked), sum(up_s), sum(down_s)
    FROM gameserver JOIN ${raw(`gameserver_rollup_${narrow}`)} narrow USING (server_id)
    WHERE starts_at >= ${iso(floorTo(from, width))}::timestamptz AND starts_at < ${iso(floorTo(to + width - 1, width))}::timestamptz
    GROUP BY 1, 2
    -- What was computed again and came out the same is not written again.
    ON CONFLICT (server_id, starts_at) DO UPDATE SET user_min = excluded.user_min, user_max = excluded.user_max,
      user_sum = excluded.user_sum, user_count = excluded.user_count, asked = excluded.asked,
      up_s = excluded.up_s, down_s = excluded.down_s
    WHERE (rollup.user_min, rollup.user_max, rollup.user_sum, rollup.user_count, rollup.asked, rollup.up_s, rollup.down_s)
      IS DISTINCT FROM (excluded.user_min, excluded.user_max, excluded.user_sum, excluded.user_count, excluded.asked,
        excluded.up_s, excluded.down_s)`;
}

/** The start of the first roll-up, in ms. */
async function oldestSample(sql: Queryable, now: number): Promise<number> {
  const [row] = await sql<{ oldest_ms: number | null }[]>`
    SELECT (extract(epoch FROM min(asked_at)) * 1000)::float8 AS oldest_ms FROM gameserver_sample`;
  return row?.oldest_ms ?? now;
}

const floorTo = (ms: number, step: number) => Math.floor(ms / step) * step;
const iso = (ms: number) => new Date(ms).toISOString();
