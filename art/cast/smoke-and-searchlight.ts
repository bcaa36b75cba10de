import { paintLayer } from "../layer.ts";
import { ellipse, type Point, polygon } from "../outline.ts";
import { seeded } from "../random.ts";
import { blur, define, paint, round, type Still } from "../still.ts";

/** Paints a beam from (x, y) at `angle` radians, `length` pixels long, `strength` 0..1. */
export function paintSearchlight(
  still: Still,
  x: number,
  y: number,
  angle: number,
  length: number,
  strength: number,
): void {
  const fade = round(still, x, y, length, [
    [0, "#fff0d8", strength],
    [0.3, "#ffe0b8", strength * 0.5],
    [1, "#ffd9a8", 0],
  ]);
  const end = (turn: number): Point => [x + Math.cos(angle + turn) * length, y + Math.sin(angle + turn) * length];
  const cone = polygon([[x - 5, y - 3], end(-0.075), end(0.075), [x + 5, y + 3]]);
  const [ex, ey] = end(0);
  const wide = Math.min(length * 0.09 + 30, 120);
  const box = {
    x: Math.max(-60, Math.min(x, ex) - wide),
    y: Math.max(-60, Math.min(y, ey) - wide),
    width: Math.min(still.width + 120, Math.abs(ex - x) + wide * 2),
    height: Math.min(still.height + 120, Math.abs(ey - y) + wide * 2),
  };
  const core = polygon([[x - 3, y - 2], end(-0.03), end(0.03), [x + 3, y + 2]]);
  paint(
    still,
    `<g style="mix-blend-mode:screen"><path d="${cone}" fill="${fade}" filter="${blur(still, 7, 7, box)}"/><path d="${core}" fill="${fade}" opacity=".6" filter="${blur(still, 4, 4, box)}"/></g>`,
  );
  const lamp = round(still, x, y, 46, [
    [0, "#fff4e0", Math.min(1, strength * 1.9)],
    [0.2, "#ffd9a0", strength],
    [1, "#ff8000", 0],
  ]);
  paint(still, `<circle cx="${x}" cy="${y}" r="46" fill="${lamp}"/>`);
}

/** A column of smoke, widening and bending with the wind. */
export function paintSmoke(
  still: Still,
  x: number,
  y: number,
  s: number,
  seed: number,
  tone: string,
  opacity: number,
): void {
  const chance = seeded(seed);
  const puffs: string[] = [];
  for (let i = 0; i < 90; i++) {
    const t = i / 90;
    const rise = t * 520 * s;
    const drift = t ** 1.7 * 330 * s;
    const size = (9 + t * 78) * s * (0.6 + chance() * 0.6);
    puffs.push(
      ellipse(
        x + drift + (chance() - 0.5) * (16 + t * 120) * s,
        y - rise + (chance() - 0.5) * 40 * s * t,
        size * 1.1,
        size * 0.85,
        chance() * 90,
      ),
    );
  }
  const fade = define(
    still,
    (id) =>
      `<linearGradient id="m${id}" gradientUnits="userSpaceOnUse" x1="0" x2="0" y1="${y}" y2="${y - 560 * s}"><stop offset="0" stop-color="#ffffff" stop-opacity=".95"/><stop offset=".5" stop-color="#ffffff" stop-opacity=".7"/><stop offset="1" stop-color="#ffffff" stop-opacity="0"/></linearGradient><mask id="${id}"><rect width="${still.width}" height="${still.height}" fill="url(#m${id})"/></mask>`,
  );
  paint(
    still,
    `<g mask="${fade}" opacity="${opacity}"><g filter="${blur(still, 9 * s, 9 * s, { x: x - 150 * s, y: y - 760 * s, width: 800 * s, height: 900 * s })}">`,
  );
  paintLayer(still, puffs, { tone, bleed: 0.4, rim: 0.5, rimWidth: 6, reach: still.height * 1.1 });
  paint(still, "</g></g>");
}
