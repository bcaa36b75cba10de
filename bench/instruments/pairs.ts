/** Measures ours and a baseline in turns, A B B A, so that whatever changes over time meets both alike. */
import { brief } from "./row.ts";

const FEWEST = 7;

/** How many pairs a bench takes: seven, or what the runner was told by `--pairs`. */
export function pairsWanted(usual = FEWEST): number {
  return Number(process.env.BENCH_PAIRS) || usual;
}

export type Pairs = { ours: number[]; baseline: number[]; ratios: number[] };

/** Runs both `pairs` times; a ratio is ours ÷ baseline of one pair. */
export async function measurePairs(
  ours: () => Promise<number>,
  baseline: () => Promise<number>,
  pairs = pairsWanted(),
): Promise<Pairs> {
  const result: Pairs = { ours: [], baseline: [], ratios: [] };
  for (let pair = 0; pair < pairs; pair += 1) {
    const first = pair % 2 === 0 ? await ours() : await baseline();
    const second = pair % 2 === 0 ? await baseline() : await ours();
    const [a, b] = pair % 2 === 0 ? [first, second] : [second, first];
    result.ours.push(a);
    result.baseline.push(b);
    result.ratios.push(a / b);
  }
  return result;
}

/** The part of a row that pairs tell: both sides' medians, the median of the ratios, and their spread. */
export function rowOfPairs({ ours, baseline, ratios }: Pairs, unit: string) {
  return {
    ours: `${brief(median(ours))} ${unit}`,
    baseline: `${brief(median(baseline))} ${unit}`,
    value: median(ratios),
    unit: "",
    spread: spreadOf(ratios),
  };
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The value that such a share of all does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export function spreadOf(values: readonly number[]): [number, number] {
  return [percentile(values, 0), percentile(values, 1)];
}

/** Milliseconds that a piece of work takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
