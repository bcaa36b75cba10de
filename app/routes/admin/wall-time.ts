// Converts form times: stored and sent in UTC, typed and shown in the reader's zone.

/** Converts a UTC time, `2026-11-20T18:30`, to a zone's wall time; returns other texts unchanged. */
export function wallIn(timeZone: string, utc: string): string {
  const at = Date.parse(`${utc}Z`);
  if (Number.isNaN(at)) return utc;
  // Swedish dates have the format of form fields.
  const written = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" }).format(at);
  return written.replace(" ", "T");
}

/** Converts back, from this browser's zone. */
export function utcOfWall(wall: string): string {
  const at = new Date(wall);
  return Number.isNaN(at.getTime()) ? wall : at.toISOString().slice(0, "2026-11-20T18:30".length);
}
