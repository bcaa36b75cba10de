// Formats dates and times for people, in one form a language: 23 Nov 2026, 22:30 and 23. Nov. 2026, 22:30. Combines the parts that
// Intl gives, because the server and browsers differ in the separators.
import type { Locale } from "../locale.ts";

type Parts = Record<"weekday" | "day" | "month" | "year" | "hour" | "minute" | "second", string>;

const LOCALES = { en: "en-GB", de: "de-DE" } as const;

/** @param timeZone by its IANA name; undefined: that of this machine. */
function partsOf(at: number, locale: Locale, timeZone: string | undefined, names: "short" | "long" = "short"): Parts {
  const parts = new Intl.DateTimeFormat(LOCALES[locale], {
    weekday: names,
    day: "numeric",
    month: names,
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
    timeZone,
  }).formatToParts(at);
  return Object.fromEntries(parts.map(({ type, value }) => [type, value])) as Parts;
}

const dayAndMonth = ({ day, month }: Parts, locale: Locale): string =>
  locale === "de" ? `${day}. ${month}` : `${day} ${month}`;

/** The zone in short: UTC, CET, GMT-5. */
function zoneText(at: number, locale: Locale, timeZone: string | undefined): string {
  const parts = new Intl.DateTimeFormat(LOCALES[locale], { timeZone, timeZoneName: "short" }).formatToParts(at);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
}

/** "22:30". All times are in ms. */
export function clockText(at: number, locale: Locale, timeZone?: string): string {
  const { hour, minute } = partsOf(at, locale, timeZone);
  return `${hour}:${minute}`;
}

/** "23 Nov 2026". */
export function dayText(at: number, locale: Locale, timeZone?: string): string {
  const parts = partsOf(at, locale, timeZone);
  return `${dayAndMonth(parts, locale)} ${parts.year}`;
}

/** "23 Nov": where the year is obvious. */
export const shortDayText = (at: number, locale: Locale, timeZone?: string): string =>
  dayAndMonth(partsOf(at, locale, timeZone), locale);

/** "Nov 2026". */
export function monthText(at: number, locale: Locale, timeZone?: string): string {
  const { month, year } = partsOf(at, locale, timeZone);
  return `${month} ${year}`;
}

/** "Mon 23 Nov": a day near enough to be known by its weekday. */
export function weekdayText(at: number, locale: Locale, timeZone?: string): string {
  const parts = partsOf(at, locale, timeZone);
  return `${parts.weekday.replace(/\.$/, "")} ${dayAndMonth(parts, locale)}`;
}

/** "Mon" or "Monday". */
export const weekdayName = (at: number, locale: Locale, timeZone: string, names: "short" | "long"): string =>
  partsOf(at, locale, timeZone, names).weekday;

/** "Monday 23 November", for sentences. */
export function longWeekdayText(at: number, locale: Locale, timeZone?: string): string {
  const parts = partsOf(at, locale, timeZone, "long");
  return `${parts.weekday}${locale === "de" ? "," : ""} ${dayAndMonth(parts, locale)}`;
}

/** "23 Nov 2026, 22:30". */
export const momentText = (at: number, locale: Locale, timeZone?: string): string =>
  `${dayText(at, locale, timeZone)}, ${clockText(at, locale, timeZone)}`;

/** "23 Nov 2026, 22:30 UTC": where the reader may be in another zone. */
export const zonedMomentText = (at: number, locale: Locale, timeZone?: string): string =>
  `${momentText(at, locale, timeZone)} ${zoneText(at, locale, timeZone)}`;

/** "22:30" for today, "23 Nov 2026, 22:30" for another day; UTC, which need not be the reader's zone, is named. */
export function recentText(at: number, now: number, locale: Locale, timeZone: string): string {
  const isToday = dayText(at, locale, timeZone) === dayText(now, locale, timeZone);
  const text = isToday ? clockText(at, locale, timeZone) : momentText(at, locale, timeZone);
  return timeZone === "UTC" ? `${text} UTC` : text;
}

/** "23 Nov 2026, 22:30:05 UTC". */
export const exactText = (at: number, locale: Locale, timeZone?: string): string =>
  `${momentText(at, locale, timeZone)}:${partsOf(at, locale, timeZone).second} ${zoneText(at, locale, timeZone)}`;

/** "23 Nov 2026, 22:30" or, if only a range is known, "23 Nov 2026, 22:00–23:00". */
export function momentsText(from: number, to: number, locale: Locale, timeZone?: string): string {
  const [first, last] = [momentText(from, locale, timeZone), momentText(to, locale, timeZone)];
  if (first === last) return first;
  const sameDay = dayText(from, locale, timeZone) === dayText(to, locale, timeZone);
  return sameDay ? `${first}–${clockText(to, locale, timeZone)}` : `${first} – ${last}`;
}

/** "04:00–04:10" or, if it ends on another day, "Sun 29 Mar 23:00 – Mon 30 Mar 01:00"; with the day in front if `day`. */
export function spanText(starts: number, ends: number, locale: Locale, timeZone: string, day: boolean): string {
  const days = [weekdayText(starts, locale, timeZone), weekdayText(ends, locale, timeZone)];
  const clocks = [clockText(starts, locale, timeZone), clockText(ends, locale, timeZone)];
  if (days[0] !== days[1]) return `${days[0]} ${clocks[0]} – ${days[1]} ${clocks[1]}`;
  return `${day ? `${days[0]} ` : ""}${clocks[0]}–${clocks[1]}`;
}
