// Waits a limited time for an optional part.

/** Resolves to the value if it is ready within `ms` milliseconds; to null if it is not, or if reading it fails. */
export function inTime<Value>(reading: Promise<Value>, ms: number): Promise<Value | null> {
  const enough = new Promise<null>((resolve) => setTimeout(resolve, ms, null).unref());
  return Promise.race([reading, enough]).catch(() => null);
}
