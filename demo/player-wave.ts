// Calculates the number of mock players: a daily wave with an evening peak, busier weekends, and small fluctuations.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Share of the evening's players by hour of the day, interpolated linearly. */
const DAY_CURVE = [
  [0, 0.62],
  [3, 0.3],
  [5.5, 0.14],
  [9, 0.2],
  [12, 0.34],
  [15, 0.46],
  [18, 0.75],
  [20.5, 1],
  [22, 0.92],
  [24, 0.62],
] as const;

const WEEKEND_LIFT = 0.25;

export type PlayerWave = {
  /** Game servers with different seeds differ in every detail; the same seed repeats itself. */
  seed: number;
  /** Most players, 500 at most: above that the noise could move faster than people do. */
  max: number;
  /** Share of `max` on an ordinary evening, 0 to 1. */
  busy: number;
  /** Minutes east of Greenwich. One value for the whole year: a clock change must not move a hundred people at once. */
  utcOffsetMinutes: number;
};

/**
 * Returns the number of players at a time (ms since 1970), between 0 and `max`. Depends only on its arguments, so a restarted fleet
 * continues where it was. Changes by at most three within 30 s.
 */
export function playersAt({ seed, max, busy, utcOffsetMinutes }: PlayerWave, atMs: number): number {
  const local = atMs + utcOffsetMinutes * MINUTE_MS;
  const evening = max * busy;
  const expected = evening * dayShare(local) * (1 + WEEKEND_LIFT * weekendShare(local));
  // The longer a swing takes, the larger it may be. In 30 s, for 500 players: 0.4 + 0.6 + 1.2, and 0.6 of the wave itself.
  const slow = 0.1 * evening * noise(seed, 1, atMs, 2 * HOUR_MS);
  const middle = Math.min(6, 0.12 * evening) * noise(seed, 2, atMs, 10 * MINUTE_MS);
  const quick = 1.2 * noise(seed, 3, atMs, MINUTE_MS);
  return Math.round(Math.min(max, Math.max(0, expected + slow + middle + quick)));
}

function dayShare(localMs: number): number {
  const hour = (localMs % DAY_MS) / HOUR_MS;
  const next = DAY_CURVE.findIndex(([at]) => at > hour);
  const [fromHour, fromShare] = DAY_CURVE[next - 1] ?? DAY_CURVE[0];
  const [toHour, toShare] = DAY_CURVE[next] ?? DAY_CURVE[0];
  return fromShare + ((toShare - fromShare) * (hour - fromHour)) / (toHour - fromHour);
}

/** 0 on working days, 1 from Friday evening to Sunday evening, with four hours between. */
function weekendShare(localMs: number): number {
  // 1 January 1970 was a Thursday, so Friday 16:00 is 40 hours into this week.
  const hour = (localMs / HOUR_MS - 40) % (7 * 24);
  const sundayEvening = 52;
  return Math.max(0, Math.min(1, hour / 4, (sundayEvening + 4 - hour) / 4));
}

/** Returns a value between -1 and 1: linear between random values at each full `period`. */
function noise(seed: number, layer: number, atMs: number, period: number): number {
  const place = atMs / period;
  const knot = Math.floor(place);
  const from = randomAt(seed, layer, knot);
  return from + (randomAt(seed, layer, knot + 1) - from) * (place - knot);
}

/** Returns a pseudorandom number between -1 and 1 (the mixing steps of MurmurHash3). */
function randomAt(seed: number, layer: number, knot: number): number {
  let hash = Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(layer, 0x85ebca6b) ^ Math.imul(knot, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x7fffffff - 1;
}
