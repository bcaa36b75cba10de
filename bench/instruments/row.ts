/** What a bench hands back: one line of the table for each figure that a claim speaks of. */

export type Row = {
  /** Its number in the list of claims, such as P4. */
  claim: string;
  /** What was done, in a few words. */
  what: string;
  /** The two sides as they were measured, with their units; no baseline where the claim is about a plain figure. */
  ours: string;
  baseline?: string;
  /** The figure that floor and goal speak of, and what stands behind it when it is written (" ms"). */
  value: number;
  unit: string;
  /** The lowest and the highest of what `value` is the median of. */
  spread?: [number, number];
  floor?: number;
  goal?: number;
  /** Which way is better. */
  better: "more" | "less";
};

/**
 * A bench file gives this one function; what it needs it starts, and stops again. One that takes long says each row with `tell`
 * as it comes, and returns the others.
 */
export type Bench = { measure(tell: (row: Row) => void): Promise<Row[]> };

/** Whether a row keeps its floor; a row without one always does. */
export function keepsFloor({ value, floor, better }: Row): boolean {
  if (floor === undefined) return true;
  return better === "more" ? value >= floor : value <= floor;
}

function reachesGoal(row: Row): boolean {
  return row.goal !== undefined && keepsFloor({ ...row, floor: row.goal });
}

/** Three digits tell enough of any figure here. */
export function brief(value: number): string {
  if (Number.isNaN(value)) return "?";
  return value >= 100 || Number.isInteger(value) ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2);
}

const HEAD = ["claim", "what", "ours", "baseline", "figure", "spread", "floor", "goal", ""];

function cells(row: Row): string[] {
  const bound = (value?: number) =>
    value === undefined ? "" : `${row.better === "more" ? "≥" : "≤"} ${value}${row.unit}`;
  const verdict =
    row.floor === undefined ? "" : !keepsFloor(row) ? "BELOW THE FLOOR" : reachesGoal(row) ? "goal" : "floor";
  const spread = row.spread ? `${brief(row.spread[0])} – ${brief(row.spread[1])}` : "";
  return [
    row.claim,
    row.what,
    row.ours,
    row.baseline ?? "",
    brief(row.value) + row.unit,
    spread,
    bound(row.floor),
    bound(row.goal),
    verdict,
  ];
}

/** The table as Markdown, its columns padded so that a terminal can show it too. */
export function formatTable(rows: Row[]): string {
  return formatColumns([HEAD, ...rows.map(cells)]);
}

/** Lines of a table, the first its head. */
export function formatColumns([head = [], ...lines]: string[][]): string {
  const widths = head.map((name, column) =>
    Math.max(3, name.length, ...lines.map((line) => line[column]?.length ?? 0)),
  );
  const write = (line: string[]) =>
    `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`.trimEnd();
  return [write(head), write(widths.map((width) => "-".repeat(width))), ...lines.map(write)].join("\n");
}
