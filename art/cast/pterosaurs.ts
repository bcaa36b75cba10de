import { paintLayer } from "../layer.ts";
import { ellipse, type Point, points, polygon } from "../outline.ts";
import type { Still } from "../still.ts";

/** Paints three of them at different distances; `u` is the size of the picture against a card. */
export function paintFlyers(still: Still, u: number): void {
  const { width: w, height: h } = still;
  for (const [fx, fy, size, turn] of [
    [0.74, 0.2, 25, -10],
    [0.835, 0.3, 13, -16],
    [0.66, 0.33, 9, -6],
  ] as const) {
    const [x, y, s] = [w * fx, h * fy, size * u];
    const a = (turn * Math.PI) / 180;
    const at = (text: string) =>
      polygon(
        points(text).map(
          ([px, py]): Point => [
            x + (px * Math.cos(a) - py * Math.sin(a)) * s,
            y + (px * Math.sin(a) + py * Math.cos(a)) * s,
          ],
        ),
      );
    const shapes = [
      at("-.3,0 -1.3,-1.25 -2.0,-1.35 -3.6,-.3 -2.0,-.75 -1.2,.05 -.5,.55 .1,.3"),
      at(".2,-.05 .75,-1.35 1.3,-1.6 3.1,-1.15 1.6,-.95 1.1,-.1 .4,.4 -.1,.3"),
      at(".7,.25 -.8,.32 -1.2,.75 -.7,.5 .1,.5 -.2,.85 .5,.45"),
      at("-.3,-.08 -.85,-.28 -.55,-.6 -1.0,-.36 -1.95,.12 -.9,.1 -.3,.3 .5,.3"),
    ];
    paintLayer(still, [...shapes, ellipse(x, y + 0.14 * s, s * 0.6, s * 0.22, turn)], {
      tone: size > 20 ? "#0d150e" : "#223022",
      rim: 0.7,
      rimWidth: 2.4 * u,
      bleed: 0.14,
      reach: h * 0.8,
    });
  }
}
