// Makes the columns of a chart's points: where too long nothing was measured, the line breaks.
import type { HistoryPoints } from "#shared/history-points.ts";

type Column = (number | null)[];

/**
 * The columns time, highest, lowest and average, with an empty point after each one that has no neighbour in time.
 * @param everyS how often the game server is asked: three times that is no gap yet
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
