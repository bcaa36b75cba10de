/** The longest pause that a server may request. */
const LONGEST_S = 86_400;

/** Parses a Retry-After, a number or a date (RFC 9110, 10.2.3), to whole seconds: at least one, at most a day; null: neither. */
export function readRetryAfter(header: string | null | undefined): number | null {
  if (header == null) return null;
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 1), LONGEST_S) : null;
}
