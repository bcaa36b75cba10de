/**
 * When a plan takes place: from the wall clock of its operator's time zone to moments, by Temporal. Pure.
 *
 * A wall time that a night skips (02:30 where clocks go from 02:00 to 03:00) is as much later as the clocks are put forward, and one
 * that a night has twice is its first: RFC 5545, section 3.3.5, and Temporal's "compatible". It takes place once a day either way.
 */
import type { Repeats } from "#shared/plans.ts";

export type Recurrence = {
  /** The first time, on the wall clock of the zone: `2026-03-29T04:00`. */
  first_local: string;
  /** IANA, as `Europe/Berlin`. */
  time_zone: string;
  repeats: Repeats;
  /** How long it takes, in real minutes: also in a night with 23 or 25 hours. */
  minutes: number;
};

/** From one moment up to another, in ms since 1970. */
export type Occurrence = { starts: number; ends: number };

const MINUTE = 60_000;
const DAY = 86_400_000;
const DAYS_BETWEEN: Record<Exclude<Repeats, "none">, number> = { daily: 1, weekly: 7 };

/**
 * The next occurrences that are not over at `from`, one that is going on first; in order.
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

/** A turn that is over at `from`, or the very first; not far before it, so that nobody counts through years. */
function turnNear(plan: Recurrence, first: Temporal.PlainDateTime, from: number, step: number): number {
  const since = from - plan.minutes * MINUTE - momentOf(first, plan.time_zone);
  return Math.max(0, Math.floor(since / (step * DAY)) - 1);
}

const momentOf = (wall: Temporal.PlainDateTime, timeZone: string): number =>
  wall.toZonedDateTime(timeZone, { disambiguation: "compatible" }).epochMilliseconds;

/** Whether a wall clock shows this time never, or twice. */
export function isOddTime(wall: Temporal.PlainDateTime, timeZone: string): boolean {
  const at = (disambiguation: "earlier" | "later") => wall.toZonedDateTime(timeZone, { disambiguation });
  return at("earlier").epochMilliseconds !== at("later").epochMilliseconds;
}

/** Whether this is the name of a time zone of the IANA database. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+-]*(?:\/[\w+-]+){0,2}$/.test(name)) return false;
  try {
    Temporal.Now.instant().toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}

/** What a date field with a time says (`2026-03-29T04:00`), where there is such a day. */
export function isLocalTime(text: string): boolean {
  if (!/^20\d\d-\d\d-\d\dT\d\d:\d\d$/.test(text)) return false;
  try {
    Temporal.PlainDateTime.from(text, { overflow: "reject" });
    return true;
  } catch {
    return false;
  }
}
