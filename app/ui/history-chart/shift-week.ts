// Shifts the week map to the reader's time zone, and finds the best time.

const HOURS = 168;
/** Hours needed to name a best time. */
const ENOUGH_HOURS = 24;

/** Shifts 168 hours (Monday 0:00 UTC first) to a zone `offsetMin` minutes ahead of UTC, to the nearest hour. */
export function shiftWeek(week: (number | null)[], offsetMin: number): (number | null)[] {
  const hours = Math.round(offsetMin / 60);
  return week.map((_, place) => week[(place - hours + 2 * HOURS) % HOURS] ?? null);
}

/**
 * Finds the two consecutive hours with the most players on average: their index in the week, and the average.
 * `few`: not enough measured; `nobody`: no player at any time.
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
