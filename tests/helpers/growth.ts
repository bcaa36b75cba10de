/** How the cost of reading a text grows with its length, measured against itself: no machine is too slow for it. */

/** A measurement repeats the work until it has taken this long, so that the clock's steps don't count. */
const LONG_ENOUGH_US = 1000;
/** Measurements of each text; one that looks superlinear gets more, in case something else disturbed it. */
const MEASUREMENTS = { least: 3, most: 20 };
/** Between linear and quadratic; collecting garbage of the longer text costs, too. */
const TOO_MUCH = 12;

/** Microseconds of this thread's processor time for one `run`, over as many runs as take long enough. */
function costOf(run: () => void): number {
  for (let times = 1; ; times *= 2) {
    const began = process.threadCpuUsage();
    for (let n = 0; n < times; n += 1) run();
    const { user, system } = process.threadCpuUsage(began);
    if (user + system >= LONG_ENOUGH_US) return (user + system) / times;
  }
}

/** The best of some measurements, taken in turn: the one that compiling and other programs disturbed least. */
function growthOf(read: (text: string) => unknown, short: string, long: string): number {
  const best = { short: Number.POSITIVE_INFINITY, long: Number.POSITIVE_INFINITY };
  let growth = Number.POSITIVE_INFINITY;
  for (let done = 0; done < MEASUREMENTS.least || (growth >= TOO_MUCH && done < MEASUREMENTS.most); done += 1) {
    best.short = Math.min(
      best.short,
      costOf(() => read(short)),
    );
    best.long = Math.min(
      best.long,
      costOf(() => read(long)),
    );
    growth = best.long / best.short;
  }
  return growth;
}

/** A text to repeat, or what makes the text of a length in characters. */
export type Pattern = string | ((length: number) => string);

/**
 * Those of `patterns` whose cost grows far faster than their length, and by how much when it is four times as long:
 * about 4 for linear code, 16 for quadratic, 64 for cubic.
 * @param length characters of the shorter text
 */
export function listSuperlinear(
  read: (text: string) => unknown,
  length: number,
  patterns: readonly Pattern[],
): string[] {
  return patterns.flatMap((pattern) => {
    const make =
      typeof pattern === "string" ? (most: number) => pattern.repeat(Math.ceil(most / pattern.length)) : pattern;
    const growth = growthOf(read, make(length), make(4 * length));
    return growth < TOO_MUCH
      ? []
      : [`${typeof pattern === "string" ? JSON.stringify(pattern) : pattern}: ${growth.toFixed(1)}`];
  });
}
