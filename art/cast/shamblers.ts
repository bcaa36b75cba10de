import { paintLayer } from "../layer.ts";
import { ellipse, limb, polygon, shape } from "../outline.ts";
import { seeded } from "../random.ts";
import { blur, define, paint, type Still } from "../still.ts";

/** Figures on the road: [across -1..1, nearness 0..1, gait]. */
export function horde(
  still: Still,
  vx: number,
  vy: number,
  list: readonly (readonly [across: number, near: number, gait: number])[],
  tone: string,
): void {
  const { width: w, height: h, sun } = still;
  for (const [across, near, gait] of list) {
    const x = vx + across * near * w * 0.42;
    const y = vy + (h - vy) * near;
    const s = h * 0.4 * near;
    const slope = ((x - sun.x) / (y - sun.y + 1)) * 0.9;
    const shade = define(
      still,
      (id) =>
        `<linearGradient id="${id}" x1="0" x2="0" y1="0" y2="1"><stop offset="0" stop-color="#080608" stop-opacity=".7"/><stop offset="1" stop-color="#080608" stop-opacity="0"/></linearGradient>`,
    );
    const long = s * 0.75;
    paint(
      still,
      `<path d="${polygon([
        [x - s * 0.11, y],
        [x + s * 0.11, y],
        [x + slope * long + s * 0.2, y + long],
        [x + slope * long - s * 0.16, y + long],
      ])}" fill="${shade}" filter="${blur(still, s * 0.02 + 0.4)}"/>`,
    );
    paintLayer(still, figure(x, y, s, gait), {
      tone,
      bleed: 0.22,
      rim: 0.9,
      rimWidth: 1.2 + near * 2.4,
      reach: h * 0.8,
    });
  }
}

/** A shambling figure, `s` pixels tall, standing at (x, y). */
function figure(x: number, y: number, s: number, gait: number): string[] {
  const chance = seeded(gait * 17);
  const dir = gait % 2 === 0 ? 1 : -1;
  const m = (list: readonly (readonly [number, number, number])[]) =>
    limb(
      list.map(([a, b, c]) => [x + a * s * dir, y - b * s, c * s] as const),
      6,
    );
  const lean = 0.05 + chance() * 0.06;
  const step = 0.05 + chance() * 0.06;
  const reach = gait % 3 === 0 ? 1 : 0;
  const rags = Array.from({ length: 6 }, (_, i) => {
    const px = x + (-0.09 + i * 0.034 + chance() * 0.012) * s * dir;
    return shape(
      `-.024,-.06 .024,-.06 ${(chance() * 0.03 - 0.015).toFixed(3)},${(0.04 + chance() * 0.07).toFixed(3)}`,
      px,
      y - 0.46 * s,
      s,
    );
  });
  const hair = Array.from({ length: 5 }, (_, i) => {
    const px = x + (lean * 1.9 - 0.035 + i * 0.02) * s * dir;
    return shape(
      `-.014,0 .014,0 ${(chance() * 0.05 - 0.03).toFixed(3)},-.02`,
      px,
      y - (0.965 - Math.abs(i - 2) * 0.008) * s,
      s * dir,
    );
  });
  return [
    ...rags,
    ...hair,
    m([
      [0, 0.5, 0.15],
      [lean * 0.4, 0.66, 0.19],
      [lean, 0.8, 0.22],
      [lean * 1.15, 0.845, 0.1],
    ]),
    ellipse(x + (lean * 1.9 + 0.015) * s * dir, y - 0.91 * s, s * 0.06, s * 0.076, dir * 24),
    m([
      [lean * 1.2, 0.83, 0.08],
      [lean * 1.8, 0.9, 0.07],
    ]),
    m([
      [-0.015, 0.52, 0.11],
      [-step * 0.7, 0.27, 0.082],
      [-step * 1.5, 0.03, 0.06],
      [-step * 1.5 + 0.06, 0.0, 0.04],
    ]),
    m([
      [0.02, 0.52, 0.11],
      [step * 1.1, 0.28, 0.082],
      [step * 0.9, 0.03, 0.06],
      [step + 0.07, 0.0, 0.04],
    ]),
    reach
      ? m([
          [lean + 0.03, 0.78, 0.07],
          [lean + 0.17, 0.7, 0.055],
          [lean + 0.3, 0.72, 0.045],
          [lean + 0.35, 0.69, 0.03],
        ])
      : m([
          [lean + 0.07, 0.79, 0.07],
          [lean + 0.12, 0.62, 0.055],
          [lean + 0.15, 0.45, 0.042],
          [lean + 0.14, 0.4, 0.035],
        ]),
    m([
      [lean - 0.09, 0.79, 0.07],
      [lean - 0.13, 0.62, 0.055],
      [lean - 0.08, 0.44, 0.042],
      [lean - 0.06, 0.39, 0.035],
    ]),
  ];
}
