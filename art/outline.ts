// Outlines as SVG path data: polygons, smooth curves, and strokes that taper like a branch or a neck.

/** A point in picture pixels, y downwards. */
export type Point = readonly [x: number, y: number];

/** A number short enough for path data: one tenth of a pixel. */
export function short(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** A closed outline with straight edges, wound clockwise: outlines of one clip that wind against each other leave holes. */
export function polygon(outline: readonly Point[]): string {
  const turn = outline.reduce((sum, [x, y], i) => {
    const [nx, ny] = at(outline, i + 1, true);
    return sum + x * ny - nx * y;
  }, 0);
  const clockwise = turn < 0 ? [...outline].reverse() : outline;
  return `M${clockwise.map(([x, y]) => `${short(x)},${short(y)}`).join("L")}Z`;
}

/** An axis-aligned rectangle. */
export function rectangle(x: number, y: number, width: number, height: number): string {
  return `M${short(x)},${short(y)}h${short(width)}v${short(height)}h${short(-width)}Z`;
}

/** An ellipse, turned by `degrees`. */
export function ellipse(x: number, y: number, rx: number, ry: number = rx, degrees = 0): string {
  const a = (degrees * Math.PI) / 180;
  const dx = Math.cos(a) * rx;
  const dy = Math.sin(a) * rx;
  const arc = `A${short(rx)},${short(ry)} ${short(degrees)} 0 1`;
  return `M${short(x - dx)},${short(y - dy)}${arc} ${short(x + dx)},${short(y + dy)}${arc} ${short(x - dx)},${short(y - dy)}Z`;
}

function at(points: readonly Point[], i: number, closed: boolean): Point {
  const n = points.length;
  return points[closed ? (i + n) % n : Math.min(n - 1, Math.max(0, i))] ?? [0, 0];
}

/** Points along a Catmull-Rom curve through the given ones, `steps` for each span. */
export function smooth(points: readonly Point[], steps = 10, closed = false): Point[] {
  const spans = closed ? points.length : points.length - 1;
  const out: Point[] = [];
  for (let i = 0; i < spans; i++) {
    const [a, b, c, d] = [-1, 0, 1, 2].map((o) => at(points, i + o, closed)) as [Point, Point, Point, Point];
    for (let s = 0; s < steps; s++) {
      const t = s / steps;
      const along = (k: 0 | 1) =>
        0.5 *
        (2 * b[k] +
          (c[k] - a[k]) * t +
          (2 * a[k] - 5 * b[k] + 4 * c[k] - d[k]) * t * t +
          (3 * b[k] - a[k] - 3 * c[k] + d[k]) * t * t * t);
      out.push([along(0), along(1)]);
    }
  }
  if (!closed) out.push(at(points, points.length - 1, false));
  return out;
}

/** A limb: a smooth line through [x, y, width] marks, as thick at each mark as it says. */
export function limb(marks: readonly (readonly [x: number, y: number, width: number])[], steps = 8): string {
  const spine = smooth(
    marks.map(([x, y]) => [x, y] as const),
    steps,
  );
  const widths = smooth(
    marks.map(([, , width], i) => [i, width] as const),
    steps,
  );
  const left: Point[] = [];
  const right: Point[] = [];
  spine.forEach(([x, y], i) => {
    const [px, py] = at(spine, i - 1, false);
    const [nx, ny] = at(spine, i + 1, false);
    const length = Math.hypot(nx - px, ny - py) || 1;
    const half = Math.max(0.2, (widths[i]?.[1] ?? 0) / 2);
    left.push([x + ((ny - py) / length) * half, y - ((nx - px) / length) * half]);
    right.unshift([x - ((ny - py) / length) * half, y + ((nx - px) / length) * half]);
  });
  return polygon([...left, ...right]);
}

/** Moves, scales and (with a negative `sx`) mirrors points drawn around their own origin. */
export function placed(points: readonly Point[], x: number, y: number, sx: number, sy: number = Math.abs(sx)): Point[] {
  return points.map(([px, py]) => [x + px * sx, y + py * sy]);
}

/** Points written as text, "x,y x,y …", so that a hand-placed form stays one line. */
export function points(text: string): Point[] {
  return text.split(" ").map((pair) => {
    const [x = 0, y = 0] = pair.split(",").map(Number);
    return [x, y];
  });
}

/** A straight-edged form "x,y x,y …" drawn around its own origin, set down at (x, y). */
export function shape(text: string, x: number, y: number, sx: number, sy: number = Math.abs(sx)): string {
  return polygon(placed(points(text), x, y, sx, sy));
}

/** Triples written as text, "a,b,c a,b,c …". */
export function marks(text: string): [number, number, number][] {
  return text.split(" ").map((mark) => {
    const [a = 0, b = 0, c = 0] = mark.split(",").map(Number);
    return [a, b, c];
  });
}

/** A limb "x,y,width x,y,width …" drawn around its own origin, set down at (x, y). */
export function limbAt(text: string, x: number, y: number, sx: number, sy: number = Math.abs(sx), steps = 8): string {
  const spine = marks(text).map(([px, py, width]) => [x + px * sx, y + py * sy, width * Math.abs(sy)] as const);
  return limb(spine, steps);
}
