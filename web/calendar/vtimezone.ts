// Formats a time zone for calendars (RFC 5545, section 3.6.5): every change of its clocks in the years that a calendar shows.

const YEARS_BEFORE = 1;
const YEARS_AFTER = 3;
const CRLF = "\r\n";

/**
 * Formats the VTIMEZONE component of a zone, without a line break at its end.
 * @param from the first moment of the calendar, in ms. Includes changes from a year before it to three years after `now`.
 */
export function vtimezone(timeZone: string, from: number, now: number): string {
  const since = Temporal.Instant.fromEpochMilliseconds(from)
    .toZonedDateTimeISO(timeZone)
    .subtract({ years: YEARS_BEFORE });
  const until = Temporal.Instant.fromEpochMilliseconds(Math.max(from, now))
    .toZonedDateTimeISO(timeZone)
    .add({ years: YEARS_AFTER });
  const lines = ["BEGIN:VTIMEZONE", `TZID:${timeZone}`, ...observance("STANDARD", since.offset, since)];
  let at = since;
  for (;;) {
    const change = at.getTimeZoneTransition("next");
    if (change === null || Temporal.ZonedDateTime.compare(change, until) > 0) break;
    const before = change.subtract({ nanoseconds: 1 }).offset;
    lines.push(...observance(change.offsetNanoseconds > offsetOf(before) ? "DAYLIGHT" : "STANDARD", before, change));
    at = change;
  }
  return [...lines, "END:VTIMEZONE"].join(CRLF);
}

const offsetOf = (offset: string): number =>
  Temporal.ZonedDateTime.from(`1970-01-01T00:00${offset}[${offset}]`).offsetNanoseconds;

/** Formats a change of offset; DTSTART is the moment on the clock as it was before. */
function observance(kind: "STANDARD" | "DAYLIGHT", before: string, from: Temporal.ZonedDateTime): string[] {
  const onOldClock = from.withTimeZone(before).toPlainDateTime();
  return [
    `BEGIN:${kind}`,
    `DTSTART:${onOldClock.toString({ smallestUnit: "second" }).replaceAll(/[-:]/g, "")}`,
    `TZOFFSETFROM:${before.replace(":", "")}`,
    `TZOFFSETTO:${from.offset.replace(":", "")}`,
    `END:${kind}`,
  ];
}
