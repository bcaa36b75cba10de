// Converts a chart's points to columns: the line breaks at long gaps.
import type { HistoryPoints } from "#shared/history-points.ts";

type Column = (number | null)[];

/**
 * Returns the columns time, highest, lowest and average, with an empty point after each gap.
 * @param everyS poll interval in seconds; up to three times that is no gap
 */
export function withGaps(points: HistoryPoints, everyS: number): [number[], Column, Column, Column] {
  const longest = Math.max(points.step * 1.5, everyS * 3);
  const columns: [number[], Column, Column, Column] = [[], [], [], []];
  const [times, highest, lowest, average] = columns;
  points.at.forEach((at, place) => {
    const before = points.at[place - 1];
    if (before !== undefined && at - before > longest) {
      times.push(before + points.step);
      for (const column of [highest, lowest, average]) column.push(null);
    }
    times.push(at);
    highest.push(points.highest[place] ?? null);
    lowest.push(points.lowest[place] ?? null);
    average.push(points.average[place] ?? null);
  });
  return columns;
}
