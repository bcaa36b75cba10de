// Ranges of a history, and which of them a short one can fill.

/** Days of each range, shortest first. */
export const DAYS = { "24h": 1, "7d": 7, "30d": 30, "1y": 365 } as const;
const DAY_MS = 86_400_000;

export type Range = keyof typeof DAYS;

const RANGES = Object.keys(DAYS) as Range[];

/**
 * Returns the ranges that differ: a longer one shows nothing new until the one before is full.
 * @param watchedMs time since the first poll; null: unknown, all ranges are returned
 */
export function rangesWithin(watchedMs: number | null): Range[] {
  return RANGES.filter((_, place) => {
    const before = RANGES[place - 1];
    return before === undefined || watchedMs === null || watchedMs > DAYS[before] * DAY_MS;
  });
}
