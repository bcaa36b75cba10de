import { paintLayer } from "../layer.ts";
import { limb, type Point, points, polygon, rectangle, smooth } from "../outline.ts";
import type { Still } from "../still.ts";

/** Two wings of stone rising from a plinth at (x, y); `s` is a tenth of their height. */
export function paintWings(still: Still, x: number, y: number, s: number): void {
  const far = still.height * 0.75;
  for (const row of [0, 1, 2]) {
    const shapes: string[] = [];
    for (const side of [-1, 1]) {
      // The arm of the wing: up from the plinth, out at the wrist.
      const arm = smooth(points(".25,-1.2 .75,-3.2 1.75,-5.1 3.05,-5.9"), 8);
      const count = [17, 14, 11][row] ?? 9;
      for (let i = 0; i < count; i++) {
        const t = i / (count - 1);
        const [ax, ay] = arm[Math.round(t * (arm.length - 1))] ?? [0, 0];
        // From the short feathers by the body, hanging, to the primaries at the wrist, swept up and out.
        const angle = ((84 - t * 138 + row * 5) * Math.PI) / 180;
        const reach =
          ([1.15 + 3.9 * t ** 1.05, 0.85 + 2.3 * t, 0.6 + 1.15 * t][row] ?? 1) * (1 + 0.05 * Math.sin(i * 2.1));
        const bend = 0.16 * reach;
        const tip: Point = [ax + Math.cos(angle) * reach, ay + Math.sin(angle) * reach];
        const midX = ax + Math.cos(angle) * reach * 0.55 + Math.sin(angle) * bend;
        const midY = ay + Math.sin(angle) * reach * 0.55 - Math.cos(angle) * bend;
        const wide = (0.4 + 0.14 * t) * (1 - row * 0.12);
        shapes.push(
          limb(
            [
              [x + side * ax * s, y + ay * s, wide * 0.7 * s],
              [x + side * midX * s, y + midY * s, wide * 1.2 * s],
              [x + side * (tip[0] * 0.72 + midX * 0.28) * s, y + (tip[1] * 0.72 + midY * 0.28) * s, wide * 0.62 * s],
              [x + side * tip[0] * s, y + tip[1] * s, 0.5],
            ],
            6,
          ),
        );
      }
      if (row === 2)
        shapes.push(
          limb(
            [
              [x + side * 0.2 * s, y - 0.6 * s, 0.6 * s],
              ...arm.filter((_, i) => i % 4 === 0).map(([px, py]) => [x + side * px * s, y + py * s, 0.5 * s] as const),
              [x + side * 3.25 * s, y - 5.95 * s, 0.2 * s],
            ],
            6,
          ),
        );
    }
    for (const shape of shapes)
      paintLayer(still, [shape], {
        tone: ["#432749", "#35203f", "#291936"][row] ?? "#291936",
        haze: "#25152f",
        from: y - 8 * s,
        to: y,
        bleed: 0.1,
        rim: 0.85,
        rimWidth: 2.2,
        reach: far,
      });
  }
  const plinth = [
    rectangle(x - 1.2 * s, y - 0.5 * s, 2.4 * s, s),
    rectangle(x - 0.8 * s, y - 0.95 * s, 1.6 * s, 0.6 * s),
    polygon([
      [x - 0.34 * s, y - 0.9 * s],
      [x - 0.2 * s, y - 3.6 * s],
      [x, y - 4.3 * s],
      [x + 0.2 * s, y - 3.6 * s],
      [x + 0.34 * s, y - 0.9 * s],
    ]),
    rectangle(x - 2 * s, y - 0.16 * s, 4 * s, 0.6 * s),
  ];
  paintLayer(still, plinth, { tone: "#24152f", bleed: 0.2, rim: 0.9, rimWidth: 2.6, reach: far });
}
