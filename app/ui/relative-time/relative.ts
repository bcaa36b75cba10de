// Formats how long ago and how long: the largest unit that fits, in the reader's language.

const UNITS = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** "12 seconds ago" for two times in ms. Clocks differ a little: a time just ahead counts as now. */
export function relativeText(at: number, now: number, locale: string): string {
  const past = now - at;
  const seconds = Math.round((past < 0 && past > -60_000 ? 0 : past) / 1000);
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? (["second", 1] as const);
  // "numeric: auto" says now. For days it would say yesterday up to 48 hours ago, which may be the day before.
  const numeric = seconds === 0 ? "auto" : "always";
  return new Intl.RelativeTimeFormat(locale, { numeric }).format(-Math.trunc(seconds / size), unit);
}

/** "5 hours": duration since a time in ms, in its largest unit. */
export function durationText(since: number, now: number, locale: string): string {
  const seconds = Math.max(0, Math.round((now - since) / 1000));
  const [unit, size] = UNITS.find(([, length]) => seconds >= length) ?? (["second", 1] as const);
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(Math.trunc(seconds / size));
}
