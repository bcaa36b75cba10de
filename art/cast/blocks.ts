import { type Point, polygon, rectangle } from "../outline.ts";
import { fractalNoise, seeded } from "../random.ts";
import { define, paint, type Still } from "../still.ts";

/** A land in steps of whole blocks: its outline, its height at any x, its block in pixels, and rows of small trees on it. */
export type Terrain = {
  outline: string;
  at: (x: number) => number;
  block: number;
  trees: (size: number, seed: number, every: number) => string[];
};

/** A skyline in steps of whole blocks. */
export function terrain(
  still: Still,
  form: { seed: number; block: number; y: number; rise: number; stretch: number; lift: (x: number) => number },
): Terrain {
  const { block } = form;
  const noise = fractalNoise(form.seed, 4, 0.5);
  const at = (px: number) => {
    const x = (Math.floor(px / block) + 0.5) * block;
    return Math.round((form.y - form.lift(x) - noise(x / form.stretch) * form.rise) / block) * block;
  };
  const points: Point[] = [[-block, still.height + 5]];
  for (let x = -block; x < still.width + block; x += block) points.push([x, at(x)], [x + block, at(x)]);
  points.push([still.width + block, still.height + 5]);
  const trees = (_size: number, seed: number, every: number) => {
    if (every === 0) return [];
    const chance = seeded(seed);
    const out: string[] = [];
    for (let x = 0; x < still.width; x += block * (3 + Math.floor(chance() * 5 * every))) {
      if (at(x) > form.y + block || Math.abs(x - still.sun.x) < still.sun.radius * 1.7) continue;
      out.push(...blockTree(Math.floor(x / block) * block, at(x), block, 2 + Math.floor(chance() * 2)));
    }
    return out;
  };
  return { outline: polygon(points), at, block, trees };
}

function blockTree(x: number, y: number, b: number, stem: number): string[] {
  return [
    rectangle(x, y - stem * b - 1, b, stem * b + 2),
    rectangle(x - 2 * b, y - (stem + 2) * b, 5 * b, 2 * b),
    rectangle(x - b, y - (stem + 3.5) * b, 3 * b, 1.6 * b),
  ];
}

/** A broad tree of blocks standing on (px, y); `b` is one block in pixels. */
export function bigTree(px: number, y: number, b: number): string[] {
  const x = Math.floor(px / b) * b;
  return [
    rectangle(x, y - 5 * b, b, 5 * b + 2),
    rectangle(x - 3 * b, y - 6 * b, 7 * b, 2 * b),
    rectangle(x - 2 * b, y - 7 * b, 5 * b, b + 1),
    rectangle(x - b, y - 8 * b, 3 * b, b + 1),
    rectangle(x - 2 * b, y - 4.02 * b, b, b * 0.5),
    rectangle(x + 2 * b, y - 4.02 * b, 2 * b, b * 0.5),
  ];
}

/** Single blocks a shade lighter or darker, so that a hillside reads as built of cubes. */
export function paintFaces(still: Still, land: Terrain, b: number, tint: string, strength: number): void {
  const chance = seeded(b);
  let lit = "";
  let dark = "";
  let tops = "";
  for (let x = 0; x < still.width; x += b) {
    const top = land.at(x);
    tops += rectangle(x, top, b - 1, b * 0.24);
    for (let y = top; y < still.height; y += b) {
      const roll = chance();
      if (roll < 0.16) lit += rectangle(x, y, b - 1, b - 1);
      else if (roll < 0.36) dark += rectangle(x, y, b - 1, b - 1);
    }
  }
  const { x, y } = still.sun;
  const warm = define(
    still,
    (id) =>
      `<radialGradient id="${id}" gradientUnits="userSpaceOnUse" cx="${x}" cy="${y}" r="${still.width * 0.55}"><stop offset="0" stop-color="#ffa654" stop-opacity=".75"/><stop offset=".5" stop-color="#a5713f" stop-opacity=".4"/><stop offset="1" stop-color="#5d7a6a" stop-opacity=".18"/></radialGradient>`,
  );
  paint(
    still,
    `<path d="${lit}" fill="${tint}" opacity="${strength}"/><path d="${dark}" fill="#000306" opacity="${strength * 1.6}"/><path d="${tops}" fill="${warm}"/>`,
  );
}
