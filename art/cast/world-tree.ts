import { paintLayer } from "../layer.ts";
import { limb } from "../outline.ts";
import { seeded } from "../random.ts";
import { define, paint, type Still, vertical } from "../still.ts";
import { branches } from "../trees.ts";

/** Paints the branch from the left edge across the whole sky, fading downwards. */
export function paintWorldTree(still: Still): void {
  const { width: w, height: h } = still;
  const chance = seeded(23);
  const mask = define(
    still,
    (id) =>
      `<mask id="${id}"><rect width="${w}" height="${h}" fill="${vertical(still, 0, h * 0.52, [
        [0, "#ffffff", 0.85],
        [0.6, "#ffffff", 0.6],
        [1, "#ffffff", 0.1],
      ])}"/></mask>`,
  );
  const trunk: [number, number, number][] = [
    [-w * 0.06, h * 0.42, h * 0.2],
    [w * 0.06, h * 0.25, h * 0.15],
    [w * 0.22, h * 0.145, h * 0.1],
    [w * 0.42, h * 0.125, h * 0.064],
    [w * 0.62, h * 0.085, h * 0.042],
    [w * 0.84, h * 0.1, h * 0.026],
    [w * 1.05, h * 0.05, h * 0.012],
  ];
  const forks: [number, number, number, number][] = [
    [0.05, 0.25, -1.2, 0.07],
    [0.17, 0.175, 0.55, 0.03],
    [0.24, 0.135, -0.85, 0.045],
    [0.36, 0.128, 0.5, 0.026],
    [0.43, 0.12, -0.6, 0.03],
    [0.53, 0.1, 0.5, 0.018],
    [0.62, 0.085, -0.5, 0.02],
    [0.7, 0.086, 0.6, 0.015],
    [0.8, 0.1, -0.45, 0.012],
    [0.88, 0.095, 0.5, 0.01],
  ];
  const boughs = forks.flatMap(([x, y, angle, thick]) =>
    branches(w * x, h * y, angle, h * (0.07 + thick * 1.5), h * thick, 5, chance, 0.46),
  );
  // Roots of hanging moss, so that the branch reads as old and immense.
  const moss: string[] = [];
  for (let i = 0; i < 60; i++) {
    const t = chance();
    const x = w * (0.02 + t * 0.86);
    const y = h * (0.1 + 0.22 * Math.max(0, 0.3 - t) + chance() * 0.03);
    const long = h * (0.03 + chance() ** 2 * 0.1) * (1.1 - t * 0.7);
    moss.push(
      limb(
        [
          [x, y, h * 0.0035],
          [x + h * 0.004, y + long * 0.6, h * 0.0022],
          [x + h * 0.002, y + long, 0.4],
        ],
        4,
      ),
    );
  }
  paint(still, `<g mask="${mask}" opacity=".86">`);
  paintLayer(still, [limb(trunk, 14), ...boughs, ...moss], {
    tone: "#0e1d20",
    haze: "#4c4a3c",
    from: 0,
    to: h * 0.5,
    bleed: 0.26,
    rim: 0.6,
    rimWidth: 2.6,
    reach: h * 1.1,
  });
  paint(still, "</g>");
}
