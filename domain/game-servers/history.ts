// The history of a game server for people: chart points, downtimes, and totals.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import {
  gameserver,
  gameserverLiveMetrics,
  gameserverRollup1d,
  gameserverRollup1h,
  gameserverRollup5m,
  gameserverSample,
  gameserverStatusEvent,
  gameserverWatch,
  gameserverWatchGap,
} from "#db/schema/index.ts";
import type { HistoryPoints } from "#shared/history-points.ts";
import { downtimeOf, type Span, type StatusChangeRow, statusChangeOf } from "./downtime.ts";
import { everKnown } from "./live-metrics.ts";

const DAY_S = 86_400;
/** Each range with its length and the width of a point in seconds: 288 to 720 points. */
const RANGES = {
  "24h": { span: DAY_S, step: 300, rows: gameserverRollup5m },
  "7d": { span: 7 * DAY_S, step: 900, rows: gameserverRollup5m },
  "30d": { span: 30 * DAY_S, step: 3_600, rows: gameserverRollup1h },
  "1y": { span: 365 * DAY_S, step: DAY_S, rows: gameserverRollup1d },
} as const;
/** A history younger than this is drawn by the hour, however long the range. */
const YOUNG_S = 30 * DAY_S;
const WEEKS_OF_MAP = 8;
const MOST_DOWNS = 300;
/** For a server that goes up and down every few minutes older changes are left out. */
const MOST_CHANGES = 20_000;

export type HistoryRange = keyof typeof RANGES;

/** The points of one range. */
export type History = HistoryPoints & { range: HistoryRange };

/** Totals of a range. */
export type RangeSummary = {
  range: HistoryRange;
  /** Share (0 to 1) of the known time in which the game server was up; null: none is known. */
  uptime: number | null;
  /** Seconds of the range with a known state. */
  known_s: number;
  /** ISO time of the first poll if within the range; null: the whole range was watched. */
  since: string | null;
  average: number | null;
  /** The highest player count: at `from` if the moment is known (then `to` is the same), else between them. */
  peak: { players: number; from: string; to: string } | null;
};

export type HistorySummary = {
  /** The first poll; nothing is claimed before it; null: none yet, or unknown by now. */
  first_asked_at: string | null;
  /** The newest measured five minutes; null: none yet. */
  last_at: string | null;
  ranges: RangeSummary[];
  /** Average players by weekday and hour (UTC) of the last eight weeks: 168 numbers, Monday 0:00 first; null: never measured. */
  week: (number | null)[];
};

/** Reads the name of a range; null: no such range. */
export function readHistoryRange(text: string | null): HistoryRange | null {
  return text !== null && Object.hasOwn(RANGES, text) ? (text as HistoryRange) : null;
}

/** Lists the points of `range` up to `now` (ms). The caller checks who may see the game server. */
export async function listHistory(db: Db, serverId: number, range: HistoryRange, now: number): Promise<History> {
  const { span, ...usual } = RANGES[range];
  // No newer point can exist, and an unchanged history stays byte-identical.
  const to = Math.floor(now / 300_000) * 300;
  const from = to - span;
  const young = range === "1y" && (await startedAfter(db, serverId, to - YOUNG_S));
  const { step, rows } = young ? RANGES["30d"] : usual;
  const { rows: points } = await db.execute<{
    at: number;
    low: number | null;
    high: number | null;
    average: number | null;
  }>(sql`
    select extract(epoch from date_bin(${step} * interval '1 second', starts_at, 'epoch'))::float8 as at,
      min(user_min) as low, max(user_max) as high,
      round(sum(user_sum)::numeric / nullif(sum(user_count), 0), 1)::float8 as average
    from ${rows} where server_id = ${serverId} and starts_at >= to_timestamp(${from}::float8)
      and starts_at < to_timestamp(${to}::float8)
    group by 1 having sum(asked) > 0 order by 1`);
  return {
    range,
    from,
    to,
    step,
    at: points.map(({ at }) => at),
    average: points.map(({ average }) => average),
    lowest: points.map(({ low }) => low),
    highest: points.map(({ high }) => high),
    downs: await listDowns(db, serverId, from, to),
  };
}

async function startedAfter(db: Db, serverId: number, at: number): Promise<boolean> {
  const { rows: older } = await db.execute(sql`
    select from ${gameserverRollup1d} where server_id = ${serverId} and starts_at <= to_timestamp(${at}::float8) limit 1`);
  return older.length === 0;
}

/** Lists downtimes to the second, whatever the width of points. An ongoing one ends at the last poll. */
async function listDowns(db: Db, serverId: number, from: number, to: number): Promise<[number, number][]> {
  const { changed_at, event_id, to_status, server_id } = gameserverStatusEvent;
  const table = gameserverStatusEvent;
  const [
    { rows: changes },
    { rows: gaps },
    {
      rows: [seen],
    },
  ] = await Promise.all([
    db.execute<StatusChangeRow>(sql`
      select from_status, to_status, failure, failures, ${ms(changed_at)} as at_ms, ${ms(table.last_answered_at)} as answered_ms,
        ${ms(table.first_failed_at)} as first_ms, ${ms(table.last_failed_at)} as last_ms
      from ${table} where ${server_id} = ${serverId} and ${changed_at} < to_timestamp(${to}::float8) and ${changed_at} >= coalesce(
        (select max(${changed_at}) from ${table} where ${server_id} = ${serverId}
          and ${changed_at} < to_timestamp(${from}::float8) and ${to_status} <> 'degraded'), '-infinity')
      order by ${changed_at} desc, ${event_id} desc limit ${MOST_CHANGES}`),
    db.execute<{ starts_ms: number; ends_ms: number | null }>(sql`
      select ${ms(gameserverWatchGap.starts_at)} as starts_ms, ${ms(gameserverWatchGap.ends_at)} as ends_ms
      from ${gameserverWatchGap} where (server_id = ${serverId} or server_id is null)
        and starts_at < to_timestamp(${to}::float8) and coalesce(ends_at > to_timestamp(${from}::float8), true)`),
    db.execute<{ last_ms: number | null }>(sql`
      select ${ms(sql`least(last_asked_at, (select watched_until from ${gameserverWatch}))`)} as last_ms
      from ${gameserverLiveMetrics} where server_id = ${serverId}`),
  ]);
  const until = Math.min(to * 1000, seen?.last_ms ?? to * 1000);
  const ordered = changes.toReversed().map(statusChangeOf);
  const unwatched = gaps.map(({ starts_ms, ends_ms }): Span => [starts_ms, ends_ms ?? to * 1000]);
  const { down } = downtimeOf(ordered, unwatched, from * 1000, until);
  return down
    .toSorted((a, b) => b[1] - b[0] - (a[1] - a[0]))
    .slice(0, MOST_DOWNS)
    .map(([began, ended]): [number, number] => [Math.floor(began / 1000), Math.ceil(ended / 1000)])
    .sort(([a], [b]) => a - b);
}

const ms = (time: SQLWrapper): SQL => sql`(extract(epoch from ${time}) * 1000)::float8`;

/** Computes the totals of all ranges and the weekly map; null: there is no such game server. */
export async function findHistorySummary(db: Db, serverId: number): Promise<HistorySummary | null> {
  const {
    rows: [known],
  } = await db.execute<{ first_ms: number | null; last_ms: number | null }>(sql`
    select (select extract(epoch from first_asked_at)::float8 * 1000 from ${gameserverLiveMetrics}
        where server_id = ${serverId} and ${everKnown}) as first_ms,
      (select extract(epoch from max(starts_at))::float8 * 1000 from ${gameserverRollup5m} where server_id = ${serverId}) as last_ms
    from ${gameserver} where server_id = ${serverId}`);
  if (!known) return null;
  const [ranges, week] = await Promise.all([summarizeRanges(db, serverId), mapWeek(db, serverId)]);
  return {
    first_asked_at: known.first_ms === null ? null : new Date(known.first_ms).toISOString(),
    last_at: known.last_ms === null ? null : new Date(known.last_ms).toISOString(),
    ranges,
    week,
  };
}

async function summarizeRanges(db: Db, serverId: number): Promise<RangeSummary[]> {
  const live = gameserverLiveMetrics;
  const summary = (range: HistoryRange): SQL => {
    const step = sql`${range === "24h" ? 300 : 3_600} * interval '1 second'`;
    const rows = range === "24h" ? gameserverRollup5m : range === "1y" ? gameserverRollup1d : gameserverRollup1h;
    const within = sql`server_id = ${serverId} and starts_at > now() - ${RANGES[range].span} * interval '1 second'
      and starts_at <= now()`;
    const highest = sql`from ${rows} where ${within} and user_max is not null order by user_max desc, starts_at desc limit 1`;
    // For a year's peak day, find the hour too; reading all hours of a year would take ten times as long.
    const peak =
      range === "1y"
        ? sql`select hours.user_max, hours.starts_at from (select server_id, starts_at ${highest}) days
            join ${gameserverRollup1h} hours on hours.server_id = days.server_id and hours.starts_at >= days.starts_at
              and hours.starts_at < days.starts_at + interval '1 day'
            where hours.user_max is not null order by hours.user_max desc, hours.starts_at desc limit 1`
        : sql`select user_max, starts_at ${highest}`;
    // The exact moment is in the samples while they are stored; for the all-time peak it is in the live row.
    return sql`select ${range}::text as range, total.*, peak.user_max as players,
        extract(epoch from coalesce(sample.asked_at, known.user_peak_at, peak.starts_at))::float8 * 1000 as peak_ms,
        extract(epoch from coalesce(sample.asked_at, known.user_peak_at, peak.starts_at + ${step}))::float8 * 1000 as peak_end_ms,
        (select extract(epoch from first_asked_at)::float8 * 1000 from ${live} where server_id = ${serverId}
          and first_asked_at > now() - ${RANGES[range].span} * interval '1 second') as since_ms
      from (
        select sum(up_s)::float8 / nullif(sum(up_s) + sum(down_s), 0) as uptime,
          coalesce(sum(up_s) + sum(down_s), 0)::float8 as known_s,
          round(sum(user_sum)::numeric / nullif(sum(user_count), 0), 1)::float8 as average
        from ${rows} where ${within}
      ) total left join (${peak}) peak on true
      left join lateral (
        select asked_at from ${gameserverSample} where server_id = ${serverId} and user_online = peak.user_max
          and asked_at >= peak.starts_at and asked_at < peak.starts_at + ${step} order by asked_at desc limit 1
      ) sample on true
      left join ${live} known on known.server_id = ${serverId} and known.user_peak = peak.user_max
        and known.user_peak_at >= peak.starts_at and known.user_peak_at < peak.starts_at + ${step}`;
  };
  const { rows: found } = await db.execute<{
    range: HistoryRange;
    uptime: number | null;
    known_s: number;
    average: number | null;
    players: number | null;
    peak_ms: number | null;
    peak_end_ms: number | null;
    since_ms: number | null;
  }>(sql.join((Object.keys(RANGES) as HistoryRange[]).map(summary), sql` union all `));
  const iso = (ms: number) => new Date(ms).toISOString();
  return found.map(({ range, uptime, known_s, average, players, peak_ms, peak_end_ms, since_ms }) => ({
    range,
    uptime,
    known_s,
    since: since_ms === null ? null : iso(since_ms),
    average,
    peak:
      players === null || peak_ms === null || peak_end_ms === null
        ? null
        : { players, from: iso(peak_ms), to: iso(peak_end_ms) },
  }));
}

async function mapWeek(db: Db, serverId: number): Promise<(number | null)[]> {
  const { rows: hours } = await db.execute<{ place: number; average: number }>(sql`
    select ((extract(isodow from starts_at at time zone 'UTC') - 1) * 24 + extract(hour from starts_at at time zone 'UTC'))::int
      as place, round(sum(user_sum)::numeric / sum(user_count), 1)::float8 as average
    from ${gameserverRollup1h} where server_id = ${serverId} and user_count > 0
      and starts_at > now() - ${WEEKS_OF_MAP * 7} * interval '1 day' and starts_at <= now()
    group by 1`);
  const week = Array<number | null>(168).fill(null);
  for (const { place, average } of hours) week[place] = average;
  return week;
}
