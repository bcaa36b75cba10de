// A part that a page can be shown without.

/** Resolves to the value when it is there within `ms` milliseconds; to null when it is not, or when reading it fails. */
export function inTime<Value>(reading: Promise<Value>, ms: number): Promise<Value | null> {
  const enough = new Promise<null>((resolve) => setTimeout(resolve, ms, null).unref());
  return Promise.race([reading, enough]).catch(() => null);
}
