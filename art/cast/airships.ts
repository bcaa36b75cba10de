import { paintLayer } from "../layer.ts";
import { ellipse, rectangle, shape } from "../outline.ts";
import type { Still } from "../still.ts";
import { paintLights } from "./lights.ts";

/** Paints the fleet; `u` is the size of the picture against a card (1 is 862 px high). */
export function paintAirships(still: Still, u: number): void {
  const { width: w, height: h } = still;
  const wide = still.kind === "wide";
  const fleet: [number, number, number, number][] = [
    [wide ? 0.585 : 0.2, 0.3, 15, 1],
    [wide ? 0.51 : 0.1, 0.43, 8, 1],
    [wide ? 0.93 : 0.9, 0.24, 10, -1],
  ];
  for (const [fx, fy, size, dir] of fleet) {
    const [x, y, s] = [w * fx, h * fy, size * u];
    const at = (text: string) => shape(text, x, y, s * dir, s);
    const shapes = [
      ellipse(x, y, s * 2.6, s * 0.85),
      at("-1.9,-.3 -3.1,-1.1 -2.9,0 -3.1,1.0 -1.9,.3"),
      at("-1.1,1.15 1.5,1.1 1.1,1.7 -.8,1.75"),
      ...[-0.8, 0.2, 1.1].map((k) => rectangle(x + k * s * dir, y + s * 0.5, s * 0.08, s * 0.8)),
      at("1.5,1.15 2.3,.9 1.4,1.35"),
    ];
    paintLayer(still, shapes, {
      tone: size > 12 ? "#33192a" : "#5a2f3a",
      bleed: 0.4,
      rim: 0.9,
      rimWidth: s * 0.12,
      reach: h,
    });
    paintLights(
      still,
      [
        [x - 0.3 * s * dir, y + 1.45 * s, s * 0.2],
        [x + 0.5 * s * dir, y + 1.45 * s, s * 0.2],
      ],
      u * 0.7,
    );
  }
}
