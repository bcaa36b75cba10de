// A dragon crossing the light, wings raised.
import { paintLayer } from "../layer.ts";
import { limbAt, type Point, placed, points, polygon, shape, smooth } from "../outline.ts";
import type { Still } from "../still.ts";

/** Paints it heading right; (x, y) is the shoulder, `s` an eighteenth of its length. */
export function paintDragon(still: Still, x: number, y: number, s: number): void {
  const body = limbAt(
    "-8.6,2.9,.08 -6.8,3.1,.2 -4.7,2.3,.36 -2.7,1,.7 -1,.4,1.05 .4,0,1.08 1.7,-.4,.62 2.8,-.2,.46 3.6,.3,.46 4.1,.55,.5 4.95,.8,.12",
    x,
    y,
    s,
  );
  const spikes = points("-5.4,2.3 -4.2,1.75 -3.1,.95 -2.1,.35 -1.1,-.2 1.2,-.75 2.1,-.75").map(([px, py]) =>
    shape("-.22,.2 0,-.42 .26,.2", x + px * s, y + py * s, s),
  );
  const details = [
    shape("3.6,.15 2.7,-.7 3.95,.1", x, y, s),
    shape("3.8,.3 3.3,-.5 4.1,.2", x, y, s),
    shape("-8.6,2.9 -9.6,2.1 -9.1,2.95 -9.6,3.7 -8.2,3.1", x, y, s),
    limbAt("-.6,.7,.5 -1,1.5,.3 -1.8,1.8,.16 -2.2,1.7,.05", x, y, s),
    limbAt("-2.4,1,.5 -3,1.9,.28 -3.9,2.3,.14 -4.4,2.2,.05", x, y, s),
  ];
  const near = wing("-5.6,-8.2 -7.7,-5 -7.4,-1.9 -5,.5", [-1.5, -5.4], [0.9, 0], [-1.9, 0.7]);
  const far = wing("5,-8.4 7.4,-6.2 7,-3.6 4.6,-1.7", [2.6, -5.4], [0.9, -0.2], [1.9, -0.5]);
  const paintWing = (outline: readonly Point[], tone: string) =>
    paintLayer(still, [polygon(placed(outline, x, y, s))], {
      tone,
      bleed: 0.2,
      rim: 0.7,
      rimWidth: s * 0.1,
      reach: still.height * 0.6,
    });
  paintWing(far, "#121827");
  paintWing(near, "#0c111c");
  const fingers = [
    "-1.5,-5.4,.3 -5.6,-8.2,.06",
    "-1.5,-5.4,.24 -7.7,-5,.06",
    "-1.5,-5.4,.24 -7.4,-1.9,.06",
    "-1.5,-5.4,.24 -5,.5,.06",
    ".9,0,.5 -1.5,-5.4,.32",
    "-1.5,-5.4,.24 -1.2,-6.2,.04",
    "2.6,-5.4,.2 5,-8.4,.05",
    ".9,0,.4 2.6,-5.4,.24",
  ].map((text) => limbAt(text, x, y, s, s, 2));
  paintLayer(still, [body, ...spikes, ...details, ...fingers], {
    tone: "#05080e",
    rim: 0.9,
    rimWidth: s * 0.1,
    reach: still.height * 0.6,
  });
}

/** A wing of skin between a wrist and its finger tips, the edge sagging between them. */
function wing(tips: string, wrist: Point, root: Point, back: Point): Point[] {
  const ends = points(tips);
  const edge: Point[] = [root, wrist];
  ends.forEach((tip, i) => {
    edge.push(tip);
    const next = ends[i + 1] ?? back;
    const middle = [(tip[0] + next[0]) / 2, (tip[1] + next[1]) / 2] as const;
    const sag: Point = [middle[0] + (wrist[0] - middle[0]) * 0.24, middle[1] + (wrist[1] - middle[1]) * 0.24];
    edge.push(...smooth([tip, sag, next], 6).slice(1, -1));
  });
  return [...edge, back];
}
