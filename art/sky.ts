// The sky: its colours from zenith to horizon, the low sun with its glow, drifting cloud, and first stars.
import { LIGHT } from "./colour.ts";
import { ellipse, short } from "./outline.ts";
import { seeded } from "./random.ts";
import { define, paint, round, type Still, vertical } from "./still.ts";

/** Fills the picture with the colours of the sky (stops from top to `horizon`) and the glow of the sun. */
export function paintSky(
  still: Still,
  stops: readonly (readonly [offset: number, colour: string])[],
  horizon: number,
  glow = 1,
): void {
  const { width, height, sun } = still;
  const all = `width="${width}" height="${height}"`;
  paint(still, `<rect ${all} fill="${vertical(still, 0, horizon, stops)}"/>`);
  const wide = round(
    still,
    sun.x,
    sun.y,
    height * 0.62,
    [
      [0, "#ff7a00", 0.7 * glow],
      [0.25, "#f26a00", 0.38 * glow],
      [0.6, LIGHT.ember, 0.12 * glow],
      [1, LIGHT.ember, 0],
    ],
    1.7,
  );
  const near = round(still, sun.x, sun.y, sun.radius * 7, [
    [0, "#ff9a3c", 0.8 * glow],
    [0.2, "#ff7a10", 0.45 * glow],
    [0.55, LIGHT.glow, 0.16 * glow],
    [1, LIGHT.glow, 0],
  ]);
  paint(still, `<rect ${all} fill="${wide}"/><g style="mix-blend-mode:screen"><rect ${all} fill="${near}"/></g>`);
}

/** The disc of the sun. */
export function paintSun(still: Still): void {
  const { x, y, radius } = still.sun;
  const fill = round(still, x, y, radius, [
    [0, LIGHT.core],
    [0.55, "#ffd48c"],
    [0.8, "#ffb75c"],
    [0.93, LIGHT.disc],
    [1, LIGHT.disc, 0],
  ]);
  paint(still, `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`);
}

/** Long torn cloud between two heights. `cover` from 0 (a few wisps) to 1 (closed); `stretch` is how long the streaks are. */
export function paintCloud(
  still: Still,
  cloud: {
    seed: number;
    top: number;
    bottom: number;
    colour: string;
    opacity: number;
    cover?: number;
    stretch?: number;
    grain?: number;
  },
): void {
  const { width } = still;
  const { seed, top, bottom, colour, opacity, cover = 0.5, stretch = 7, grain = 0.0016 } = cloud;
  const slope = 4.2;
  const shift = -slope * (0.62 - cover * 0.34);
  const filter = define(
    still,
    (id) =>
      `<filter id="${id}" filterUnits="userSpaceOnUse" x="0" y="${top}" width="${width}" height="${bottom - top}"><feTurbulence type="fractalNoise" baseFrequency="${grain} ${grain * stretch}" numOctaves="5" seed="${seed}"/><feColorMatrix values="0 0 0 0 0  0 0 0 0 0  0 0 0 0 0  ${slope} 0 0 0 ${short(shift)}" result="torn"/><feComposite in="SourceGraphic" in2="torn" operator="in"/></filter>`,
  );
  const fill = vertical(still, top, bottom, [
    [0, colour, 0],
    [0.45, colour, opacity],
    [0.7, colour, opacity],
    [1, colour, 0],
  ]);
  paint(still, `<g filter="${filter}"><rect y="${top}" width="${width}" height="${bottom - top}" fill="${fill}"/></g>`);
}

/** A scatter of faint stars above `bottom`, thinning downwards. */
export function paintStars(still: Still, seed: number, count: number, bottom: number, colour = "#dfe8ff"): void {
  const chance = seeded(seed);
  let svg = "";
  for (let i = 0; i < count; i++) {
    const y = chance() ** 1.6 * bottom;
    const size = 0.5 + chance() ** 5 * 1.3;
    svg += `<path d="${ellipse(chance() * still.width, y, size)}" opacity="${short((0.2 + chance() * 0.6) * (1 - y / bottom))}"/>`;
  }
  paint(still, `<g fill="${colour}">${svg}</g>`);
}

/** Shafts of light that leave the sun, `angles` in degrees clockwise from east. */
export function paintShafts(still: Still, angles: readonly number[], length: number, opacity: number): void {
  const { x, y } = still.sun;
  const fade = round(still, x, y, length, [
    [0, LIGHT.disc, opacity],
    [0.5, LIGHT.glow, opacity * 0.4],
    [1, LIGHT.glow, 0],
  ]);
  const soft = define(
    still,
    (id) =>
      `<filter id="${id}" filterUnits="userSpaceOnUse" x="0" y="0" width="${still.width}" height="${still.height}"><feGaussianBlur stdDeviation="14"/></filter>`,
  );
  const shafts = angles
    .map((degrees, i) => {
      const spread = 1.6 + (i % 3) * 1.1;
      const [a, b] = [degrees - spread, degrees + spread].map((d) => (d * Math.PI) / 180) as [number, number];
      const end = (r: number) => `${short(x + Math.cos(r) * length)},${short(y + Math.sin(r) * length)}`;
      return `M${short(x)},${short(y)}L${end(a)}L${end(b)}Z`;
    })
    .join("");
  paint(still, `<g style="mix-blend-mode:screen"><path d="${shafts}" fill="${fade}" filter="${soft}"/></g>`);
}
