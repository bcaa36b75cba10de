// Time zones that a form offers.

/** All that Node knows, UTC, and that of a plan. */
export function timeZones(also: string | null): string[] {
  return [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone"), ...(also ? [also] : [])])].sort();
}
