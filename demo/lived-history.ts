// Creates eight weeks of history for a new demo: from the waves and outages that its mock game servers follow.
import { fragment, type Queryable, raw, type Sql } from "#db/sql.ts";
import { waitForJob } from "#jobs/exclusively.ts";
import { addSamplePartition, keepSamplesInBounds } from "#jobs/measurements/sample-partitions.ts";
import { type PlayerWave, playersAt } from "./player-wave.ts";
import { isDownAt } from "./pretend-server.ts";

const STEP_MS = 300_000;
const STEP_S = STEP_MS / 1000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEKS = 8;
/** Raw results and five-minute rows go back this far: no page reads older ones. */
const FINE_DAYS = 7;

/** A game server's data for its history. `tells`: whether player numbers are ever reported. */
export type LivedServer = { server_id: number; wave: PlayerWave; fails: boolean; tells: boolean };

type Outage = readonly [from: number, to: number];

/** A row for one of the roll-up tables; times in ms since 1970. */
type RollUp = {
  at: number;
  low: number | null;
  high: number | null;
  sum: number;
  count: number;
  asked: number;
  down: number;
};

/**
 * Writes eight weeks of history for each game server that was never polled, in one transaction: roll-ups, outages, peaks, and the
 * raw results of the last week. Servers with a history keep it.
 * @returns how many got one
 */
export async function writeLivedHistory(sql: Sql, servers: LivedServer[]): Promise<number> {
  const neverAsked = fragment`first_asked_at IS NULL AND server_id = ANY(${servers.map(({ server_id }) => server_id)})`;
  if ((await sql`SELECT FROM gameserver_live_metrics WHERE ${neverAsked} LIMIT 1`).length === 0) return 0;
  await makePartitions(sql);
  return sql.begin(async (transaction) => {
    // A collector that starts its roll-ups meanwhile would recreate a week of rows, from samples too coarse for short outages.
    await waitForJob(transaction, "roll-ups");
    const now = await readClock(transaction);
    const fresh = await transaction<{ server_id: number }[]>`
      SELECT server_id FROM gameserver_live_metrics WHERE ${neverAsked} FOR UPDATE`;
    const ids = new Set(fresh.map(({ server_id }) => server_id));
    const young = servers.filter(({ server_id }) => ids.has(server_id));
    if (young.length === 0) return 0;
    for (const server of young) await writePast(transaction, server, now);
    // Finished roll-ups aren't recreated from the few raw results.
    await transaction`
      INSERT INTO gameserver_rollup_progress (rolled_until)
      VALUES (${iso(floorTo(now, STEP_MS))}::timestamptz)
      ON CONFLICT ("only") DO NOTHING`;
    return young.length;
  });
}

/** Separately and before: creating one locks all samples for the collectors until its transaction ends. */
async function makePartitions(sql: Sql): Promise<void> {
  await keepSamplesInBounds(sql, false);
  const today = Math.floor((await readClock(sql)) / DAY_MS);
  for (let day = today - FINE_DAYS; day < today; day++) await addSamplePartition(sql, day);
}

/** The database's clock, in ms since 1970. */
async function readClock(sql: Queryable): Promise<number> {
  const [clock] = await sql<{ now_ms: number }[]>`SELECT (extract(epoch FROM now()) * 1000)::float8 AS now_ms`;
  return clock?.now_ms ?? Date.now();
}

async function writePast(sql: Queryable, server: LivedServer, now: number): Promise<void> {
  const { server_id } = server;
  const to = floorTo(now, STEP_MS);
  const from = floorTo(now, DAY_MS) - WEEKS * 7 * DAY_MS;
  const fineFrom = now - FINE_DAYS * DAY_MS;
  const outages = outagesOf(server, from, to);
  const steps = stepsOf(server, outages, from, to);
  const hours = widen(steps, HOUR_MS);
  const fine = steps.filter(({ at }) => at >= fineFrom);
  await writeRollUps(sql, "5m", server_id, fine);
  await writeRollUps(sql, "1h", server_id, hours);
  await writeRollUps(sql, "1d", server_id, widen(hours, DAY_MS));
  await sql`
    INSERT INTO gameserver_sample (server_id, asked_at, status, user_online, user_max)
    SELECT ${server_id}, to_timestamp(at), CASE WHEN down > ${STEP_S / 2} THEN 'offline' ELSE 'online' END, users,
      CASE WHEN users IS NOT NULL THEN ${server.wave.max}::int END
    FROM unnest(${fine.map(({ at }) => at / 1000)}::float8[], ${fine.map(({ down }) => down)}::int[],
      ${fine.map(({ high }) => high)}::int[]) AS sample (at, down, users)`;
  const turns = [
    { at: from, from: "unknown", to: "online" },
    ...outages.flatMap(([began, ended]) => [
      { at: began, from: "online", to: "offline" },
      { at: ended, from: "offline", to: "online" },
    ]),
  ];
  await sql`
    INSERT INTO gameserver_status_event (server_id, from_status, to_status, failure, changed_at, last_answered_at,
      first_failed_at, last_failed_at, failures)
    SELECT ${server_id}, turn.from_status, turn.to_status, CASE WHEN turn.to_status = 'offline' THEN 'timeout' END, moment,
      -- To the moment, with nothing to be guessed between two questions.
      moment, moment, moment, CASE WHEN turn.from_status = 'unknown' THEN 0 ELSE 3 END
    FROM unnest(${turns.map(({ at }) => at / 1000)}::float8[], ${turns.map((turn) => turn.from)}::text[],
      ${turns.map((turn) => turn.to)}::text[]) AS turn (at, from_status, to_status), to_timestamp(turn.at) AS moment`;
  const peak = highestOf(steps);
  await sql`
    UPDATE gameserver_live_metrics SET
      status = 'online', status_since = ${iso(turns.at(-1)?.at ?? from)}::timestamptz,
      first_asked_at = ${iso(from)}::timestamptz, last_asked_at = ${iso(to)}::timestamptz,
      last_answered_at = ${iso(to)}::timestamptz,
      user_peak = ${peak?.high ?? null}, user_peak_at = ${peak ? iso(peak.at) : null}::timestamptz,
      user_peak_24h = ${highestOf(steps.filter(({ at }) => at >= now - DAY_MS))?.high ?? null},
      user_peak_7d = ${highestOf(fine)?.high ?? null}
    WHERE server_id = ${server_id}`;
}

/** Returns five-minute rows; the players are those at the beginning of each. */
function stepsOf({ wave, tells }: LivedServer, outages: Outage[], from: number, to: number): RollUp[] {
  const steps: RollUp[] = [];
  let next = 0;
  for (let at = from; at < to; at += STEP_MS) {
    let down = 0;
    while ((outages[next]?.[1] ?? to) <= at) next++;
    for (let place = next; (outages[place]?.[0] ?? to) < at + STEP_MS; place++) {
      const [began, ended] = outages[place] ?? [at, at];
      down += (Math.min(ended, at + STEP_MS) - Math.max(began, at)) / 1000;
    }
    const users = tells && down < STEP_S ? playersAt(wave, at) : null;
    steps.push({
      at,
      low: users,
      high: users,
      sum: users ?? 0,
      count: users === null ? 0 : 1,
      asked: 1,
      down: Math.round(down),
    });
  }
  return steps;
}

/** Adds up narrower rows, as the collector does. */
function widen(rows: RollUp[], width: number): RollUp[] {
  const wide = new Map<number, RollUp>();
  for (const row of rows) {
    const at = floorTo(row.at, width);
    const sum = wide.get(at);
    if (!sum) wide.set(at, { ...row, at });
    else {
      sum.low = least(sum.low, row.low);
      sum.high = row.high === null ? sum.high : Math.max(sum.high ?? 0, row.high);
      sum.sum += row.sum;
      sum.count += row.count;
      sum.asked += row.asked;
      sum.down += row.down;
    }
  }
  return [...wide.values()];
}

const least = (one: number | null, other: number | null) =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);

async function writeRollUps(
  sql: Queryable,
  width: "5m" | "1h" | "1d",
  serverId: number,
  rows: RollUp[],
): Promise<void> {
  await sql`
    INSERT INTO ${raw(`gameserver_rollup_${width}`)}
      (server_id, starts_at, user_min, user_max, user_sum, user_count, asked, up_s, down_s)
    SELECT ${serverId}, to_timestamp(at), low, high, total, counted, asked, asked * ${STEP_S} - down, down
    FROM unnest(${rows.map(({ at }) => at / 1000)}::float8[], ${rows.map(({ low }) => low)}::int[],
      ${rows.map(({ high }) => high)}::int[], ${rows.map(({ sum }) => sum)}::int[],
      ${rows.map(({ count }) => count)}::int[], ${rows.map(({ asked }) => asked)}::int[],
      ${rows.map(({ down }) => down)}::int[]) AS made (at, low, high, total, counted, asked, down)`;
}

/**
 * Returns its outages in order: like today's for one that fails, for others about every nine days for up to forty minutes. None in
 * the last hour, so that no server that answers is down.
 */
function outagesOf({ server_id, fails }: LivedServer, from: number, to: number): Outage[] {
  const outages: Outage[] = [];
  if (fails) {
    let began: number | null = null;
    for (let at = from; at < to - HOUR_MS; at += 10_000) {
      const down = isDownAt(server_id, at);
      if (down) began ??= at;
      else if (began !== null) {
        outages.push([began, at]);
        began = null;
      }
    }
    return outages;
  }
  for (let day = 2 + ((server_id * 5) % 9); day * DAY_MS < to - from - DAY_MS; day += 6 + ((server_id * 7 + day) % 7)) {
    const began = from + day * DAY_MS + ((server_id * 37 + day * 61) % 1380) * 60_000;
    outages.push([began, began + (4 + ((server_id * 11 + day * 17) % 37)) * 60_000]);
  }
  return outages;
}

const highestOf = (rows: RollUp[]): RollUp | null =>
  rows.reduce<RollUp | null>((highest, row) => ((row.high ?? -1) > (highest?.high ?? -1) ? row : highest), null);

const floorTo = (ms: number, step: number) => Math.floor(ms / step) * step;
const iso = (ms: number) => new Date(ms).toISOString();
