// Trees as silhouettes: spruces, leafy crowns, palms, bare branches.
import { ellipse, limb, type Point, polygon } from "./outline.ts";
import { seeded } from "./random.ts";
import type { Ridge } from "./ridge.ts";

/** A spruce standing at (x, y), `height` pixels high. */
function spruce(x: number, y: number, height: number, chance: () => number): string {
  const tiers = Math.max(5, Math.min(16, Math.round(height / 9)));
  const lean = (chance() - 0.5) * 0.05;
  const side = (dir: 1 | -1): Point[] => {
    const out: Point[] = [];
    for (let i = 1; i <= tiers; i++) {
      const t = i / tiers;
      const reach = height * (0.03 + 0.17 * t ** 0.85) * (0.72 + chance() * 0.5);
      const at = y - height * (1 - t * 0.93);
      out.push([x + lean * (y - at) + dir * reach, at + height * 0.02]);
      if (i < tiers) out.push([x + lean * (y - at) + dir * reach * 0.42, at - height * 0.012]);
    }
    return out;
  };
  const stem = height * 0.016 + 0.6;
  return polygon([
    [x + lean * height, y - height],
    ...side(1),
    [x + stem, y - height * 0.06],
    [x + stem, y + height * 0.06],
    [x - stem, y + height * 0.06],
    [x - stem, y - height * 0.06],
    ...side(-1).reverse(),
  ]);
}

/** A wood along a skyline: one spruce about every `gap` pixels where `grows(x)` (0..1) allows. */
export function wood(
  line: Ridge,
  form: { seed: number; from: number; to: number; gap: number; height: number; grows?: (x: number) => number },
): string[] {
  const chance = seeded(form.seed);
  const out: string[] = [];
  for (let x = form.from; x < form.to; x += form.gap * (0.45 + chance() * 1.1)) {
    const grows = form.grows?.(x) ?? 1;
    const height = form.height * (0.5 + chance() * 0.65) * (0.55 + 0.45 * grows);
    if (chance() < grows) out.push(spruce(x, line.at(x) + height * 0.05, height, chance));
  }
  return out;
}

/** A leafy crown: ragged clumps that fill an ellipse, with loose leaves at the edge. */
export function crown(x: number, y: number, rx: number, ry: number, seed: number, clumps = 24): string[] {
  const chance = seeded(seed);
  const out: string[] = [];
  const small = Math.min(rx, ry);
  for (let i = 0; i < clumps; i++) {
    const angle = (i / clumps) * Math.PI * 2 * 5.3 + chance();
    const far = Math.sqrt((i + 0.5) / clumps) * 0.86;
    const size = small * (0.3 + 0.22 * chance()) * (1.3 - far * 0.62);
    out.push(clump(x + Math.cos(angle) * rx * far, y + Math.sin(angle) * ry * far, size, chance));
  }
  for (let i = 0; i < clumps * 3; i++) {
    const angle = chance() * Math.PI * 2;
    const far = 0.86 + chance() * 0.28;
    const size = small * (0.022 + chance() * 0.03);
    out.push(
      ellipse(x + Math.cos(angle) * rx * far, y + Math.sin(angle) * ry * far, size * 1.7, size * 0.8, chance() * 180),
    );
  }
  return out;
}

function clump(x: number, y: number, size: number, chance: () => number): string {
  const points: Point[] = [];
  const teeth = 26;
  for (let i = 0; i < teeth; i++) {
    const angle = (i / teeth) * Math.PI * 2;
    const r = size * (0.8 + chance() * 0.34) * (i % 2 === 0 ? 1.06 : 0.92);
    points.push([x + Math.cos(angle) * r * 1.25, y + Math.sin(angle) * r * 0.8]);
  }
  return polygon(points);
}

/** A palm standing at (x, y), leaning by `lean` pixels at the top. */
export function palm(x: number, y: number, height: number, lean: number, seed: number): string[] {
  const chance = seeded(seed);
  const [tx, ty] = [x + lean, y - height];
  const out = [
    limb([
      [x, y, height * 0.06],
      [x + lean * 0.3, y - height * 0.5, height * 0.04],
      [tx, ty, height * 0.032],
    ]),
  ];
  const fronds = 14;
  for (let i = 0; i < fronds; i++) {
    // Half to each side, from just under level to steep, never straight up.
    const rise = -0.2 + (Math.floor(i / 2) / Math.floor(fronds / 2)) * 1.5 + (chance() - 0.5) * 0.16;
    const angle = i % 2 === 0 ? -rise : -Math.PI + rise;
    out.push(...frond(tx, ty, height * (0.34 + chance() * 0.14), angle, chance));
  }
  return out;
}

/** One feathered leaf from (x, y), rising at `angle` (radians) and drooping under its weight. */
export function frond(x: number, y: number, length: number, angle: number, chance: () => number): string[] {
  const mid: Point = [x + Math.cos(angle) * length * 0.5, y + Math.sin(angle) * length * 0.5];
  const tip: Point = [
    x + (Math.cos(angle) * 0.72 + Math.sign(Math.cos(angle)) * 0.34) * length,
    y + Math.sin(angle) * length * 0.72 + length * 0.34,
  ];
  const out = [
    limb([
      [x, y, length * 0.045],
      [mid[0], mid[1], length * 0.035],
      [tip[0], tip[1], 0.6],
    ]),
  ];
  for (let k = 2; k <= 15; k++) {
    const t = k / 15.5;
    const u = 1 - t;
    // Quadratic through x,y / control / tip, so that leaflets hang from the rib.
    const cx = 2 * mid[0] - (x + tip[0]) / 2;
    const cy = 2 * mid[1] - (y + tip[1]) / 2;
    const px = u * u * x + 2 * u * t * cx + t * t * tip[0];
    const py = u * u * y + 2 * u * t * cy + t * t * tip[1];
    const hang = length * (0.3 - Math.abs(t - 0.45) * 0.34) * (0.75 + chance() * 0.4);
    const drift = Math.cos(angle) * hang * 0.55;
    const w = length * 0.022;
    out.push(
      polygon([
        [px - w, py],
        [px + w, py],
        [px + drift, py + hang],
      ]),
    );
    out.push(
      polygon([
        [px - w, py],
        [px + w, py],
        [px + drift * 1.6, py - hang * 0.25 + t * hang * 0.6],
      ]),
    );
  }
  return out;
}

/** A bare limb that forks and forks again; `angle` in radians, thickness in pixels. */
export function branches(
  x: number,
  y: number,
  angle: number,
  length: number,
  width: number,
  depth: number,
  chance: () => number,
  spread = 0.6,
): string[] {
  const bend = (chance() - 0.5) * 0.5;
  const mx = x + Math.cos(angle + bend) * length * 0.5;
  const my = y + Math.sin(angle + bend) * length * 0.5;
  const ex = mx + Math.cos(angle - bend * 0.4) * length * 0.5;
  const ey = my + Math.sin(angle - bend * 0.4) * length * 0.5;
  const out = [
    limb([
      [x, y, width],
      [mx, my, width * 0.8],
      [ex, ey, depth > 0 ? width * 0.58 : 0.5],
    ]),
  ];
  if (depth <= 0) return out;
  const forks = chance() < 0.45 ? 3 : 2;
  for (let i = 0; i < forks; i++) {
    const turn = (i / (forks - 1) - 0.5) * 2 * spread + (chance() - 0.5) * 0.35;
    out.push(
      ...branches(ex, ey, angle + turn, length * (0.55 + chance() * 0.25), width * 0.56, depth - 1, chance, spread),
    );
  }
  return out;
}
