/** What is claimed of a site on many machines: each claim is printed with its figure, and counted. */

export type Claims = {
  /** Prints whether it holds, with what was measured. */
  hold(claim: string, holds: boolean, figure: string): void;
  /** A figure that nothing is claimed of. */
  note(what: string): void;
  counts(): { passed: number; failed: number };
};

export function startClaims(): Claims {
  const counts = { passed: 0, failed: 0 };
  return {
    hold(claim, holds, figure) {
      counts[holds ? "passed" : "failed"] += 1;
      console.log(`${holds ? "✔" : "✖"} ${claim}: ${figure}`);
    },
    note: (what) => console.log(`  ${what}`),
    counts: () => counts,
  };
}

/** The value that a part (0 to 1) of the values do not exceed. */
export function quantile(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN;
}

export const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
export const seconds = (valueMs: number): string => `${(valueMs / 1000).toFixed(1)} s`;
