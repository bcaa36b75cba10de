/** Defines a game server's players and down times over a range, in columns. */

/** Times in seconds since 1970. A time without samples has no point. */
export type HistoryPoints = {
  range: string;
  from: number;
  to: number;
  /** Width of a point. */
  step: number;
  at: number[];
  /** Of the samples with a number of players; null without any. */
  average: (number | null)[];
  lowest: (number | null)[];
  highest: (number | null)[];
  /** Down times as [from, to), as counted: the 300 longest, in order. */
  downs: [number, number][];
};
