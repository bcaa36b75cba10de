// The map of a week turned into the reader's time zone, and what it says in one sentence.

const HOURS = 168;
/** A best time needs a day's worth of hours to stand out from. */
const ENOUGH_HOURS = 24;

/** Turns 168 hours (Monday 0:00 UTC first) to a zone that is `offsetMin` minutes ahead of UTC, to the nearest hour. */
export function shiftWeek(week: (number | null)[], offsetMin: number): (number | null)[] {
  const hours = Math.round(offsetMin / 60);
  return week.map((_, place) => week[(place - hours + 2 * HOURS) % HOURS] ?? null);
}

/**
 * The two hours in a row with the most players on average: their place in the week, and the average.
 * `few`: too little was measured to say; `nobody`: nobody was ever on.
 */
export function bestTime(week: (number | null)[]): { place: number; players: number } | "few" | "nobody" {
  if (week.filter((hour) => hour !== null).length < ENOUGH_HOURS) return "few";
  let best = { place: 0, players: 0 };
  week.forEach((players, place) => {
    const next = week[(place + 1) % HOURS] ?? null;
    if (players === null || next === null) return;
    const both = (players + next) / 2;
    if (both > best.players) best = { place, players: both };
  });
  return best.players > 0 ? best : "nobody";
}
