// Times of forms: stored and sent in UTC, typed and shown in the reader's zone.

/** A time of UTC, `2026-11-20T18:30`, as the clocks of a zone show it; a text that is no time stays as it is. */
export function wallIn(timeZone: string, utc: string): string {
  const at = Date.parse(`${utc}Z`);
  if (Number.isNaN(at)) return utc;
  // Sweden writes dates as fields of forms do.
  const written = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" }).format(at);
  return written.replace(" ", "T");
}

/** The other way round, for the zone that this browser is in. */
export function utcOfWall(wall: string): string {
  const at = new Date(wall);
  return Number.isNaN(at.getTime()) ? wall : at.toISOString().slice(0, "2026-11-20T18:30".length);
}
