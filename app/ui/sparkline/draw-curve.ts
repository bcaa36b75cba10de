// Turns 48 half hours into a sparkline.

/** Height of the drawing; its width is the number of points minus one. */
export const HEIGHT = 35;

/**
 * A packed curve: one character per half hour: height in base 36, "." if unknown, "!" if the game server was down. `low` and `high`
 * are the fewest and the most players of a half hour, on average.
 */
export type Curve = { line: string; low: number; high: number };

/** Shown while too little was measured for a curve: the start, in ISO 8601. */
export type Collecting = { since: string };

/** Half hours needed for a meaningful line. */
const LEAST_POINTS = 4;
const DAY_MS = 86_400_000;

/** Minimum scale, so that a single player doesn't look like a crowd. */
const LEAST_FULL = 4;

/** Packs points; null if there is nothing to draw. */
export function packCurve(points: (number | "down" | null)[] | undefined): Curve | null {
  const known = points?.filter((point) => typeof point === "number") ?? [];
  if (!points || known.length === 0) return null;
  const full = Math.max(...known, LEAST_FULL);
  const sign = (point: number) => Math.round((point / full) * HEIGHT).toString(36);
  return {
    line: points.map((point) => (point === null ? "." : point === "down" ? "!" : sign(point))).join(""),
    low: Math.round(Math.min(...known)),
    high: Math.round(Math.max(...known)),
  };
}

/**
 * Returns the last 24 hours to draw: the curve; the start, if the game server has been watched for less than two of them; null if
 * nothing is known.
 * @param since the first poll, in ISO 8601; null: none yet
 */
export function packDay(
  points: Parameters<typeof packCurve>[0],
  since: string | null,
  now = Date.now(),
): Curve | Collecting | null {
  const known = points?.filter((point) => point !== null).length ?? 0;
  const young = since !== null && now - Date.parse(since) < DAY_MS;
  return young && known < LEAST_POINTS ? { since } : packCurve(points);
}

/** Builds the paths: `line` along the heights, broken where unknown; `area` below it; `down` and `unknown` on the ground. */
export function drawCurve({ line }: Curve): { line: string; area: string; down: string; unknown: string } {
  const drawn = { line: "", area: "", down: "", unknown: "" };
  for (const { 0: run, index } of line.matchAll(/[0-9a-z]+|!+|\.+/g)) {
    const end = index + run.length - 1;
    if (/^[!.]/.test(run)) {
      drawn[run.startsWith("!") ? "down" : "unknown"] += `M${index} ${HEIGHT}H${end}`;
      continue;
    }
    const steps = [...run].map((sign, step) => `${index + step} ${HEIGHT - Number.parseInt(sign, 36)}`);
    // A single point is a line of zero length, which round ends make visible.
    drawn.line += `M${steps.length === 1 ? [...steps, ...steps].join("L") : steps.join("L")}`;
    if (steps.length > 1) drawn.area += `M${index} ${HEIGHT}L${steps.join("L")}V${HEIGHT}`;
  }
  return drawn;
}
