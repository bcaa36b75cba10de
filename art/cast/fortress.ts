import { ellipse, limb, type Point, placed, points, polygon, rectangle, shape } from "../outline.ts";
import { seeded } from "../random.ts";

/** Panels of a wall that follows the ground `at`, from the share `from` of the width to the right edge. */
export function wall(w: number, at: (x: number) => number, u: number, from = 0.47): string[] {
  const out: string[] = [];
  const panel = 46 * u;
  for (let x = w * from; x < w + panel; x += panel) {
    const y = at(x + panel / 2);
    const top = y - 46 * u;
    out.push(rectangle(x, top, panel - 3 * u, 80 * u), rectangle(x - 4 * u, top - 7 * u, 9 * u, 100 * u));
    out.push(rectangle(x + 8 * u, top - 9 * u, 12 * u, 12 * u), rectangle(x + 28 * u, top - 9 * u, 12 * u, 12 * u));
  }
  return out;
}

/** A watchtower on a lattice, twelve units of `s` pixels high, standing at (x, y). */
export function watchtower(x: number, y: number, s: number): string[] {
  const at = (text: string) => shape(text, x, y, s);
  const beam = (a: Point, b: Point, t: number) =>
    limb(
      [
        [x + a[0] * s, y + a[1] * s, t * s],
        [x + b[0] * s, y + b[1] * s, t * s],
      ],
      2,
    );
  const out = [beam([-1.5, 0], [-0.95, -7], 0.26), beam([1.5, 0], [0.95, -7], 0.26)];
  for (let i = 0; i < 4; i++) {
    const [a, b] = [-i * 1.75, -(i + 1) * 1.75];
    const half = (yy: number) => 1.5 + (yy / 7) * 0.55;
    out.push(
      beam([-half(a), a], [half(b), b], 0.12),
      beam([half(a), a], [-half(b), b], 0.12),
      beam([-half(b), b], [half(b), b], 0.14),
    );
  }
  out.push(
    at("-1.75,-6.9 1.75,-6.9 1.6,-7.3 -1.6,-7.3"),
    at("-1.5,-7.2 -1.5,-8.0 1.5,-8.0 1.5,-7.2"),
    at("-1.45,-7.9 -1.45,-9.2 -1.2,-9.2 -1.2,-7.9"),
    at("1.2,-7.9 1.2,-9.2 1.45,-9.2 1.45,-7.9"),
    at("-2.0,-9.1 -1.3,-9.9 1.3,-9.9 2.0,-9.1"),
    at("-.05,-9.8 -.05,-12 .05,-12 .05,-9.8"),
  );
  return out;
}

/** A gun house with two barrels raised by `degrees` towards the left. */
export function turret(x: number, y: number, s: number, degrees: number): string[] {
  const at = (text: string) => shape(text, x, y, s);
  const a = ((180 - degrees) * Math.PI) / 180;
  const barrel = (off: number) => {
    const [ox, oy] = [x - 0.6 * s, y + (-1.5 + off) * s];
    const end = (r: number): readonly [number, number] => [
      ox + Math.cos(a) * r * s,
      oy - Math.abs(Math.sin(a)) * r * s,
    ];
    return [
      limb(
        [
          [ox, oy, 0.5 * s],
          [...end(3.4), 0.36 * s],
          [...end(6.2), 0.3 * s],
        ],
        4,
      ),
      limb(
        [
          [...end(5.7), 0.52 * s],
          [...end(6.5), 0.52 * s],
        ],
        2,
      ),
    ];
  };
  return [
    at("-2.7,1 -2.4,-.2 2.4,-.2 2.7,1"),
    at("-2.1,-.1 -1.7,-1.9 -.6,-2.5 1.3,-2.4 2.0,-1.5 2.2,-.1"),
    at(".5,-2.3 .5,-3.1 1.2,-3.1 1.2,-2.3"),
    at("1.6,-1.8 1.68,-4.6 1.74,-4.6 1.8,-1.8"),
    ...barrel(0),
    ...barrel(0.55),
  ];
}

/** A low bunker with one gun to the left, its foot at (x, y). */
export function bunker(x: number, y: number, s: number): string[] {
  const at = (text: string) => shape(text, x, y, s);
  return [
    at("-3.4,.6 -2.5,-1.6 2.5,-1.6 3.4,.6"),
    at("-2.9,-1.5 -2.6,-2.0 2.6,-2.0 2.9,-1.5"),
    limb(
      [
        [x - 2 * s, y - 1.0 * s, 0.3 * s],
        [x - 4.4 * s, y - 1.25 * s, 0.22 * s],
      ],
      2,
    ),
  ];
}

/** A dish that looks up to the left. */
export function radar(x: number, y: number, s: number): string[] {
  const dish = polygon(placed(points("-1.9,-5.6 -1.5,-4.4 -.5,-3.3 .6,-3.0 -.1,-3.9 -1.0,-5.0"), x, y, s));
  return [
    limb(
      [
        [x, y + s, 0.5 * s],
        [x, y - 3.6 * s, 0.3 * s],
      ],
      2,
    ),
    dish,
    limb(
      [
        [x - 0.6 * s, y - 4.2 * s, 0.12 * s],
        [x - 1.7 * s, y - 3.4 * s, 0.1 * s],
      ],
      2,
    ),
    ellipse(x - 1.75 * s, y - 3.4 * s, 0.22 * s),
  ];
}

/** Broken walls of a town on a far skyline. */
export function ruins(w: number, at: (x: number) => number, u: number): string[] {
  const chance = seeded(5);
  const out: string[] = [];
  for (let i = 0; i < 16; i++) {
    const x = w * (0.28 + chance() * 0.4);
    const [wide, tall] = [(8 + chance() * 16) * u, (12 + chance() * 38) * u];
    out.push(
      polygon([
        [x, at(x) + 8],
        [x, at(x) - tall],
        [x + wide * 0.4, at(x) - tall * 0.8],
        [x + wide * 0.6, at(x) - tall * 1.05],
        [x + wide, at(x) - tall * 0.6],
        [x + wide, at(x) + 8],
      ]),
    );
  }
  return out;
}

/** Crossed beams against tanks, `s` pixels high. */
export function hedgehog(x: number, y: number, s: number): string[] {
  const bar = (ax: number, ay: number, bx: number, by: number) =>
    limb(
      [
        [x + ax * s, y + ay * s, 0.17 * s],
        [x + bx * s, y + by * s, 0.17 * s],
      ],
      2,
    );
  return [bar(-0.75, 0.1, 0.6, -1.35), bar(0.8, 0.1, -0.6, -1.3), bar(-0.15, 0.15, 0.22, -1.55)];
}
