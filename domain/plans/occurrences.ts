/**
 * Computes when a plan takes place, from wall-clock time in the operator's time zone, with Temporal. Pure.
 * A wall time skipped by a clock change (02:30 where clocks go from 02:00 to 03:00) moves later by the change, and one that occurs
 * twice means the first: RFC 5545, section 3.3.5, and Temporal's "compatible". Either way it takes place once a day.
 */
import type { Repeats } from "#shared/plans.ts";

export type Recurrence = {
  /** The first occurrence in the zone's wall-clock time: `2026-03-29T04:00`. */
  first_local: string;
  /** IANA, as `Europe/Berlin`. */
  time_zone: string;
  repeats: Repeats;
  /** Duration in real minutes: also in a night with 23 or 25 hours. */
  minutes: number;
};

/** From one moment (inclusive) to another (exclusive), in ms since 1970. */
export type Occurrence = { starts: number; ends: number };

const MINUTE = 60_000;
const DAY = 86_400_000;
const DAYS_BETWEEN: Record<Exclude<Repeats, "none">, number> = { daily: 1, weekly: 7 };

/**
 * Computes the next occurrences that aren't over at `from`, including a current one, in order.
 * @param from in ms @param most how many at most @param before only those that start before it, in ms
 */
export function nextOccurrences(
  plan: Recurrence,
  from: number,
  most: number,
  before = Number.POSITIVE_INFINITY,
): Occurrence[] {
  if (Number.isNaN(from)) throw new RangeError("no moment to look from");
  const first = Temporal.PlainDateTime.from(plan.first_local);
  const found: Occurrence[] = [];
  const step = plan.repeats === "none" ? 0 : DAYS_BETWEEN[plan.repeats];
  for (let turn = step === 0 ? 0 : turnNear(plan, first, from, step); found.length < most; turn += 1) {
    const starts = momentOf(first.add({ days: turn * step }), plan.time_zone);
    if (starts >= before) break;
    const ends = starts + plan.minutes * MINUTE;
    if (ends > from) found.push({ starts, ends });
    if (step === 0) break;
  }
  return found;
}

/** An occurrence index that is over at `from`, or the first; close to it, so that no loop runs through years. */
function turnNear(plan: Recurrence, first: Temporal.PlainDateTime, from: number, step: number): number {
  const since = from - plan.minutes * MINUTE - momentOf(first, plan.time_zone);
  return Math.max(0, Math.floor(since / (step * DAY)) - 1);
}

const momentOf = (wall: Temporal.PlainDateTime, timeZone: string): number =>
  wall.toZonedDateTime(timeZone, { disambiguation: "compatible" }).epochMilliseconds;

/** True if the wall clock shows this time never, or twice. */
export function isOddTime(wall: Temporal.PlainDateTime, timeZone: string): boolean {
  const at = (disambiguation: "earlier" | "later") => wall.toZonedDateTime(timeZone, { disambiguation });
  return at("earlier").epochMilliseconds !== at("later").epochMilliseconds;
}

/** True for the name of a time zone in the IANA database. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+-]*(?:\/[\w+-]+){0,2}$/.test(name)) return false;
  try {
    Temporal.Now.instant().toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}

/** True for a date field's value with a time (`2026-03-29T04:00`) if that day exists. */
export function isLocalTime(text: string): boolean {
  if (!/^20\d\d-\d\d-\d\dT\d\d:\d\d$/.test(text)) return false;
  try {
    Temporal.PlainDateTime.from(text, { overflow: "reject" });
    return true;
  } catch {
    return false;
  }
}
