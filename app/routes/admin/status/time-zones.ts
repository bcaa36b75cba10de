// The time zones that a form offers.

/** All that this Node knows by name, UTC, and one that a plan has. */
export function timeZones(also: string | null): string[] {
  return [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone"), ...(also ? [also] : [])])].sort();
}
