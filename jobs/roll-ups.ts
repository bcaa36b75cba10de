/** Rolling samples up into rows of five minutes, an hour and a day. */
import type { ISql } from "postgres";
import type { Exclusively } from "./exclusively.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** One transaction takes no more than this much of the past, however much there is to catch up with. */
const CHUNK_MS = 6 * HOUR_MS;
/** Results are written up to an interval late, and an interval is an hour at most: so much is computed again each time. */
const OVERLAP_MS = 65 * 60_000;
const STEP_MS = 300_000;

/**
 * Brings the roll-ups up to now: idempotent, resumable after every chunk, and stopped after one by `signal`. Hours and days that
 * still go on are made of what there is so far. A time without samples gets no row, and rows whose samples are gone stay as
 * they are.
 * @returns the chunks written; 0 when another collector is at it, or no five minutes have ended since the last time
 */
export async function rollUp(exclusively: Exclusively, signal?: AbortSignal): Promise<number> {
  let chunks = 0;
  for (;;) {
    const state = (await exclusively(rollUpChunk)) ?? "skipped";
    if (state !== "skipped") chunks++;
    if (state !== "more" || signal?.aborted) return chunks;
  }
}

async function rollUpChunk(transaction: ISql): Promise<"skipped" | "more" | "done"> {
  const [known] = await transaction<{ now_ms: number; until_ms: number | null }[]>`
    SELECT (extract(epoch FROM now()) * 1000)::float8 AS now_ms,
      (SELECT (extract(epoch FROM rolled_until) * 1000)::float8 FROM gameserver_rollup_progress) AS until_ms`;
  const now = known?.now_ms ?? Date.now();
  // Only what is over: a row of five minutes is whole from the first time on, but for what comes late.
  const closed = floorTo(now, STEP_MS);
  if (known?.until_ms === closed) return "skipped";
  const until = known?.until_ms ?? (await oldestSample(transaction, now));
  // A clock that ran ahead has left its mark in the future: then the last hour counts from now.
  const from = floorTo(Math.min(until, closed) - OVERLAP_MS, STEP_MS);
  const to = Math.min(from + CHUNK_MS, closed);
  await rollSamples(transaction, from, to);
  await widen(transaction, "5m", "1h", from, to);
  await widen(transaction, "1h", "1d", from, to);
  await transaction`
    INSERT INTO gameserver_rollup_progress (rolled_until) VALUES (${iso(to)}::timestamptz)
    ON CONFLICT ("only") DO UPDATE SET rolled_until = excluded.rolled_until`;
  return to < closed ? "more" : "done";
}

/**
 * Samples of [from, to) into rows of five minutes. Offline game servers are asked less often, so that shares of a row's time
 * count, not samples; of the first row of all only the time from the first question on.
 */
async function rollSamples(sql: ISql, from: number, to: number): Promise<void> {
  await sql`
    INSERT INTO gameserver_rollup_5m AS rollup
      (server_id, starts_at, user_min, user_max, user_sum, user_count, asked, up_s, down_s)
    SELECT server_id, starts_at, low, high, total, counted, asked,
      coalesce(watched - round(watched * down / nullif(up + down, 0)), 0), coalesce(round(watched * down / nullif(up + down, 0)), 0)
    FROM (
      SELECT server_id, date_bin('5 minutes', asked_at, 'epoch') AS starts_at,
        min(user_online) AS low, max(user_online) AS high, coalesce(sum(user_online), 0) AS total,
        count(user_online) AS counted, count(*) AS asked,
        count(*) FILTER (WHERE status = 'online') AS up, count(*) FILTER (WHERE status = 'offline') AS down
      FROM gameserver_sample
      WHERE asked_at >= ${iso(from)}::timestamptz AND asked_at < ${iso(to)}::timestamptz
      GROUP BY 1, 2
    ) sample JOIN gameserver USING (server_id) LEFT JOIN gameserver_live_metrics USING (server_id), LATERAL (
      SELECT round(least(300, greatest(0, 300 - coalesce(extract(epoch FROM first_asked_at - starts_at), 0)))) AS watched
    ) span
    ${upsert(sql)}`;
}

/** Makes the wider rows that [from, to) touches, of all narrower rows in them. */
async function widen(sql: ISql, narrow: "5m" | "1h", wide: "1h" | "1d", from: number, to: number): Promise<void> {
  const width = wide === "1h" ? HOUR_MS : DAY_MS;
  await sql`
    INSERT INTO ${sql(`gameserver_rollup_${wide}`)} AS rollup
      (server_id, starts_at, user_min, user_max, user_sum, user_count, asked, up_s, down_s)
    SELECT server_id, date_bin(${wide === "1h" ? "1 hour" : "1 day"}::interval, starts_at, 'epoch'), min(narrow.user_min),
      max(narrow.user_max), sum(user_sum), sum(user_count), sum(asked), sum(up_s), sum(down_s)
    FROM gameserver JOIN ${sql(`gameserver_rollup_${narrow}`)} narrow USING (server_id)
    WHERE starts_at >= ${iso(floorTo(from, width))}::timestamptz AND starts_at < ${iso(floorTo(to + width - 1, width))}::timestamptz
    GROUP BY 1, 2
    ${upsert(sql)}`;
}

/** What was computed again and came out the same is not written again. */
function upsert(sql: ISql) {
  return sql`
    ON CONFLICT (server_id, starts_at) DO UPDATE SET user_min = excluded.user_min, user_max = excluded.user_max,
      user_sum = excluded.user_sum, user_count = excluded.user_count, asked = excluded.asked,
      up_s = excluded.up_s, down_s = excluded.down_s
    WHERE (rollup.user_min, rollup.user_max, rollup.user_sum, rollup.user_count, rollup.asked, rollup.up_s, rollup.down_s)
      IS DISTINCT FROM (excluded.user_min, excluded.user_max, excluded.user_sum, excluded.user_count, excluded.asked,
        excluded.up_s, excluded.down_s)`;
}

/** Where the first roll-up begins, in ms. */
async function oldestSample(sql: ISql, now: number): Promise<number> {
  const [row] = await sql<{ oldest_ms: number | null }[]>`
    SELECT (extract(epoch FROM min(asked_at)) * 1000)::float8 AS oldest_ms FROM gameserver_sample`;
  return row?.oldest_ms ?? now;
}

const floorTo = (ms: number, step: number) => Math.floor(ms / step) * step;
const iso = (ms: number) => new Date(ms).toISOString();
