// When a plan takes place, on the clock of whoever reads it. Put together from parts, so that the server and every browser write the
// same signs, however their tables of formats differ.

type Parts = Partial<Record<Intl.DateTimeFormatPartTypes, string>>;

function partsOf(at: number, locale: string, timeZone: string): Parts {
  const parts = new Intl.DateTimeFormat(locale, {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone,
  }).formatToParts(at);
  return Object.fromEntries(parts.map(({ type, value }) => [type, value.replace(/\.$/, "")]));
}

/** "04:00". */
export const clockText = (at: number, locale: string, timeZone: string): string => {
  const { hour, minute } = partsOf(at, locale, timeZone);
  return `${hour}:${minute}`;
};

/** "Sun 29 Mar": a day without its year. */
export const dayText = (at: number, locale: string, timeZone: string): string => {
  const { weekday, day, month } = partsOf(at, locale, timeZone);
  return locale === "de" ? `${weekday} ${day}. ${month}` : `${weekday} ${day} ${month}`;
};

/** "04:00–04:10" or, where it ends on another day, "Sun 29 Mar 23:00 – Mon 30 Mar 01:00"; the day in front where `day` asks for it. */
export function spanText(starts: number, ends: number, locale: string, timeZone: string, day: boolean): string {
  const days = [dayText(starts, locale, timeZone), dayText(ends, locale, timeZone)];
  const clocks = [clockText(starts, locale, timeZone), clockText(ends, locale, timeZone)];
  if (days[0] !== days[1]) return `${days[0]} ${clocks[0]} – ${days[1]} ${clocks[1]}`;
  return `${day ? `${days[0]} ` : ""}${clocks[0]}–${clocks[1]}`;
}
