// Cars as silhouettes: a low racer, a lorry.
import { ellipse, placed, points, polygon, rectangle, shape, smooth } from "../outline.ts";

const wheel = (x: number, y: number, r: number) => ellipse(x, y - r, r);

/** A low, fast car heading right; (x, y) is the ground under its middle, `s` half its length. */
export function racer(x: number, y: number, s: number): string[] {
  const body = smooth(
    points("-1,-.2 -.98,-.34 -.8,-.4 -.5,-.42 -.28,-.6 .1,-.62 .42,-.44 .8,-.36 1,-.24 1,-.12 -.98,-.12"),
    4,
    true,
  );
  return [
    polygon(placed(body, x, y, s)),
    shape("-1.04,-.5 -.74,-.54 -.72,-.5 -1.0,-.46", x, y, s),
    rectangle(x - 0.92 * s, y - 0.5 * s, 0.04 * s, 0.14 * s),
    wheel(x - 0.6 * s, y, 0.17 * s),
    wheel(x + 0.62 * s, y, 0.17 * s),
    rectangle(x - 0.98 * s, y - 0.16 * s, 1.98 * s, 0.07 * s),
  ];
}

/** The same seen from behind; `s` is half its width. */
export function racerBehind(x: number, y: number, s: number): string[] {
  return [
    shape("-1,-.1 -1.04,-.5 -.9,-.62 -.66,-1.0 .66,-1.0 .9,-.62 1.04,-.5 1,-.1", x, y, s),
    rectangle(x - 1.1 * s, y - 0.94 * s, 2.2 * s, 0.08 * s),
    rectangle(x - 0.7 * s, y - 0.9 * s, 0.08 * s, 0.34 * s),
    rectangle(x + 0.62 * s, y - 0.9 * s, 0.08 * s, 0.34 * s),
    rectangle(x - 0.96 * s, y - 0.34 * s, 0.34 * s, 0.34 * s),
    rectangle(x + 0.62 * s, y - 0.34 * s, 0.34 * s, 0.34 * s),
  ];
}

/** A lorry heading right; `s` is half its length. */
export function lorry(x: number, y: number, s: number): string[] {
  return [
    rectangle(x - s, y - 0.92 * s, 1.36 * s, 0.74 * s),
    shape(".4,-.16 .4,-.84 .74,-.84 .86,-.5 1.0,-.46 1.02,-.16", x, y, s),
    rectangle(x - s, y - 0.24 * s, 2 * s, 0.1 * s),
    ...[-0.78, -0.5, 0.1, 0.74].map((k) => wheel(x + k * s, y, 0.15 * s)),
    rectangle(x + 0.42 * s, y - 1.02 * s, 0.05 * s, 0.24 * s),
  ];
}
