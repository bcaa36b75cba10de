/** No pause that somebody else asks for is longer. */
const LONGEST_S = 86_400;

/**
 * The whole seconds from now that a Retry-After asks to wait for, as a number or a date (RFC 9110, 10.2.3): at least one, at most
 * a day; null: it says neither.
 */
export function readRetryAfter(header: string | null | undefined): number | null {
  if (header == null) return null;
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 1), LONGEST_S) : null;
}
