import { paintLayer } from "../layer.ts";
import { limb, type Point, polygon, rectangle } from "../outline.ts";
import { fractalNoise, seeded } from "../random.ts";
import { blur, define, paint, round, type Still } from "../still.ts";
import { crown } from "../trees.ts";

/** One isle: the middle of its top, half its width, its depth below, and how many threads of water fall from it. */
export type Isle = { x: number; y: number; half: number; deep: number; seed: number; falls: number };

/** Paints isles of one depth, their water falling to the height `drop`. */
export function isles(
  still: Still,
  list: readonly Isle[],
  air: { tone: string; haze: string; bleed: number; rim: number },
  u: number,
  drop: number,
): void {
  for (const isle of list) {
    const { x, y, half, deep, seed } = isle;
    const chance = seeded(seed);
    const noise = fractalNoise(seed, 5, 0.55);
    const top: Point[] = [];
    const under: Point[] = [];
    for (let i = -40; i <= 40; i++) {
      const t = i / 40;
      const px = x + t * half;
      top.push([px, y - (1 - t * t) * half * 0.1 - noise(t * 3) * half * 0.07]);
      const taper = (1 - Math.abs(t) ** 1.5) ** 1.25;
      const teeth = Math.abs(noise(t * 7 + 9));
      under.unshift([px, y + half * 0.06 + deep * taper * (0.5 + 0.62 * teeth) * (1 + 0.25 * noise(t * 2 + 4))]);
    }
    const shapes = [polygon([...top, ...under])];
    const ground = (t: number) => top[Math.round((t + 1) * 40)]?.[1] ?? y;
    for (let i = 0; i < 9; i++) {
      const t = -0.9 + chance() * 1.8;
      if (half > 200 * u && Math.abs(t) < 0.46) continue;
      const size = half * (0.07 + chance() * 0.07);
      shapes.push(
        ...crown(x + t * half, ground(t) - size * 1.15, size * 0.9, size * 0.8, seed * 10 + i, 9),
        rectangle(x + t * half - size * 0.08, ground(t) - size, size * 0.16, size * 1.3),
      );
    }
    if (half < 200 * u) shapes.push(...temple(x + half * 0.16, ground(0.16) + 3, half * 0.27));
    const falls = Array.from({ length: isle.falls }, (_, i) => {
      const t = isle.falls === 1 ? -0.55 : -0.8 + (i * 1.6) / (isle.falls - 1) + (chance() - 0.5) * 0.16;
      return { x: x + t * half, y: ground(t) + half * 0.02, wide: half * (0.022 + chance() * 0.026) };
    });
    paintFalls(still, falls, drop, 0.5, x);
    paintLayer(still, shapes, {
      ...air,
      from: y - half * 0.3,
      to: y + deep,
      rimWidth: 3 * u,
      reach: still.height * 0.9,
    });
    paintFacets(still, isle, air.rim);
    paintFalls(still, falls, drop, 1, x);
  }
}

/** Faces of rock on the underside that catch the light, cracks where they do not. */
function paintFacets(still: Still, isle: Isle, strength: number): void {
  const { x, y, half, deep, seed } = isle;
  const { sun } = still;
  const chance = seeded(seed + 300);
  let lit = "";
  let dark = "";
  for (let i = 0; i < 26; i++) {
    const t = -0.8 + chance() * 1.6;
    const room = deep * (1 - Math.abs(t) ** 1.5) ** 1.25 * 0.52;
    const top = y + half * (0.05 + chance() * 0.12) + room * chance() * 0.45;
    const long = room * (0.25 + chance() * 0.5);
    const wide = half * (0.02 + chance() * 0.06);
    const lean = -t * long * 0.3;
    const px = x + t * half * 0.96;
    const face = polygon([
      [px, top],
      [px + wide, top + long * 0.2],
      [px + lean + wide * 0.3, top + long],
      [px + lean * 0.4 - wide * 0.4, top + long * 0.4],
    ]);
    if (Math.sign(sun.x - x || -t) === Math.sign(t) || chance() < 0.25) lit += face;
    else dark += face;
  }
  const glow = round(still, sun.x, sun.y, still.height * 0.8, [
    [0, "#ff9a50", 0.5 * strength],
    [0.5, "#d0703c", 0.24 * strength],
    [1, "#7a4a8a", 0.12 * strength],
  ]);
  paint(
    still,
    `<path d="${lit}" fill="${glow}"/><path d="${dark}" fill="#06030c" opacity="${(0.3 * strength).toFixed(2)}"/>`,
  );
}

function temple(x: number, y: number, s: number): string[] {
  const out = [
    rectangle(x - s, y - s * 0.14, s * 2, s * 0.2),
    rectangle(x - s, y - s * 1.12, s * 2, s * 0.16),
    polygon([
      [x - s * 1.1, y - s * 1.1],
      [x, y - s * 1.62],
      [x + s * 1.1, y - s * 1.1],
    ]),
  ];
  for (let i = 0; i < 6; i++) out.push(rectangle(x - s * 0.9 + i * s * 0.34, y - s, s * 0.12, s));
  return out;
}

function paintFalls(
  still: Still,
  falls: readonly { x: number; y: number; wide: number }[],
  drop: number,
  strength: number,
  centre: number,
): void {
  const thread = define(
    still,
    (id) =>
      `<linearGradient id="${id}" x1="0" x2="0" y1="0" y2="1"><stop offset="0" stop-color="#ffe6cf" stop-opacity="${0.85 * strength}"/><stop offset=".35" stop-color="#ffc9a0" stop-opacity="${0.5 * strength}"/><stop offset="1" stop-color="#e9b4c8" stop-opacity="0"/></linearGradient>`,
  );
  for (const { x, y, wide } of falls) {
    const out = Math.sign(x - centre) * wide * 1.2;
    const d = limb([
      [x - out * 0.6, y + wide * 0.2, wide * 0.5],
      [x + out * 0.7, y + wide * 1.6, wide * 0.9],
      [x + out, y + (drop - y) * 0.3, wide * 1.1],
      [x + out, drop, wide * 2.2],
    ]);
    const hair = limb([
      [x + out * 1.5, y + wide * 1.4, wide * 0.2],
      [x + out * 2, y + (drop - y) * 0.45, wide * 0.3],
      [x + out * 1.8, drop, wide * 0.7],
    ]);
    paint(
      still,
      `<g fill="${thread}" filter="${blur(still, 0.5 + wide * 0.07)}"><path d="${d}"/><path d="${hair}" opacity=".6"/></g>`,
    );
  }
}
