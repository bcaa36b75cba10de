// Calculates the next times of a plan from its form.
import { isLocalTime, isTimeZone, nextOccurrences, type Occurrence } from "#domain/plans/occurrences.ts";
import { LONGEST_PLAN_MINUTES, REPEATS } from "#shared/plans.ts";

const SHOWN = 5;

/** `clock`: the plan's time of day, such as "02:30"; on a night that skips it the plan runs later. */
export type PlanPreview = { times: Occurrence[]; time_zone: string; clock: string };

/** Returns the next times; null while the form is incomplete. */
export function previewOf(
  given: Record<"first_local" | "time_zone" | "repeats" | "minutes", string>,
): PlanPreview | null {
  const { first_local, time_zone } = given;
  const repeats = REPEATS.find((one) => one === given.repeats);
  const minutes = /^\d{1,5}$/.test(given.minutes) ? Number(given.minutes) : 0;
  if (!repeats || !isTimeZone(time_zone) || !isLocalTime(first_local)) return null;
  if (minutes < 1 || minutes > LONGEST_PLAN_MINUTES[repeats]) return null;
  return {
    times: nextOccurrences({ first_local, time_zone, repeats, minutes }, Date.now(), SHOWN),
    time_zone,
    clock: first_local.slice(11, 16),
  };
}
