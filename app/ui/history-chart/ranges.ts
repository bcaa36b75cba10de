// The ranges of a history, and which of them a young one can fill.

/** Days of each range, the shortest first. */
export const DAYS = { "24h": 1, "7d": 7, "30d": 30, "1y": 365 } as const;
const DAY_MS = 86_400_000;

export type Range = keyof typeof DAYS;

const RANGES = Object.keys(DAYS) as Range[];

/**
 * The ranges that differ from each other: a longer one shows nothing new until the one before is full.
 * @param watchedMs for how long the game server has been watched; null: it is not known, and every range is there
 */
export function rangesWithin(watchedMs: number | null): Range[] {
  return RANGES.filter((_, place) => {
    const before = RANGES[place - 1];
    return before === undefined || watchedMs === null || watchedMs > DAYS[before] * DAY_MS;
  });
}
