/** What a fault test measured, for the list that `npm run test:faults` ends with. */
import os from "node:os";
import type { TestContext } from "node:test";

/** @param fault the name in the first column of README.md. */
export function tell(t: TestContext, fault: string, figure: string): void {
  t.diagnostic(`${fault}: ${figure}`);
}

/** The value below which so many hundredths of the values lie. */
export function percentile(values: number[], hundredths: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * hundredths) / 100))] ?? 0;
}

/**
 * How long something may take here that may take `ms` on a machine of its own: where others keep this one busy, as much
 * longer as there is waiting for its cores.
 */
export function patience(ms: number): number {
  return Math.round(ms * Math.max(1, (os.loadavg()[0] ?? 0) / os.availableParallelism()));
}
