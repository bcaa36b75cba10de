// The stage of a drawn scene: what every land paints with, so that all of them stand in the same air.
import type { Daytime } from "#shared/scene-hint.ts";
import { paintLayer } from "./layer.ts";
import { ellipse, rectangle, short } from "./outline.ts";
import type { Palette } from "./palette.ts";
import { type Ridge, ridge } from "./ridge.ts";
import { paintShafts, paintSky, paintStars, paintSun } from "./sky.ts";
import { define, paint, type Still, type Sun } from "./still.ts";
import { paintVapour } from "./vapour.ts";

/** The frame that drawn scenes are composed in; all places of lands are in its pixels. */
export const FRAME = { kind: "card", width: 1380, height: 862 } as const;

/** `chance`: the name's own numbers. `seed`: where noise begins. */
export type Stage = {
  readonly still: Still;
  readonly air: Palette;
  readonly time: Daytime;
  readonly chance: () => number;
  readonly seed: number;
};

/** One composition of a land: where its light stands, and what is painted under it, far layers first. */
export type View = {
  readonly name: string;
  readonly light: Sun;
  /** Times of day that do not suit it. */
  readonly never?: readonly Daytime[];
  /** What stands instead of the sky of a time of day. */
  readonly sky?: (stage: Stage) => void;
  readonly paint: (stage: Stage) => void;
};

/** A number between two, by chance. */
export const between = ({ chance }: Pick<Stage, "chance">, low: number, high: number): number =>
  low + chance() * (high - low);

/** The sky of the hour: colours, stars, cloud, and the light. */
export function paintHour(stage: Stage): void {
  const { still, air, time, seed, chance } = stage;
  const { height: h } = still;
  const foot = h * 0.68;
  paintSky(still, air.sky, foot, air.glow);
  if (air.stars > 0) paintStars(still, seed, air.stars, h * (time === "night" ? 0.6 : 0.36));
  const top = h * chance() * 0.12;
  paintCloud(stage, {
    seed: seed % 997,
    top,
    bottom: h * 0.64,
    colour: air.cloud,
    opacity: time === "noon" ? 0.42 : 0.26,
    cover: air.cloudCover,
    stretch: 3.4 + chance() * 3.6,
    grain: 0.0014 + chance() * 0.0009,
  });
  paintCloud(stage, {
    seed: (seed % 991) + 3,
    top: h * 0.34,
    bottom: h * 0.68,
    colour: air.litCloud,
    opacity: time === "night" ? 0.16 : 0.4,
    cover: 0.36,
    stretch: 9,
    grain: 0.0016,
  });
  if (time === "dawn" || (time === "dusk" && chance() < 0.5))
    paintShafts(still, [-166, -140, -111, -74, -46, -17], h * 0.85, time === "dawn" ? 0.17 : 0.14);
  paintSun(still);
}

/** Silhouettes at a depth (0 the horizon, 1 the frame in front), standing between two heights of the picture. */
export function paintDepth(
  { still, air, time }: Stage,
  outlines: readonly string[],
  depth: number,
  form: { from?: number; to?: number; thick?: number; rim?: number; bleed?: number } = {},
): void {
  const { height: h } = still;
  const strength = { dusk: 1, dawn: 0.85, noon: 0.55, night: 0.62 }[time];
  paintLayer(still, outlines, {
    tone: air.tone(depth),
    haze: air.haze(depth),
    from: form.from ?? h * (0.4 + depth * 0.2),
    to: form.to ?? h * (0.72 + depth * 0.28),
    thick: form.thick ?? 0.85,
    bleed: (form.bleed ?? 0.5 * Math.max(0, 1 - depth) ** 1.3 + 0.07) * strength,
    rim: (form.rim ?? 0.25 + 0.75 * Math.min(1, depth * 1.4)) * strength,
    rimWidth: 1.4 + depth * 1.7,
    reach: h * (depth > 0.92 ? 0.8 : 0.95),
  });
}

/** Long torn cloud between two heights. `cover` from 0 (a few wisps) to 1 (closed); `stretch`: how long the streaks are. */
function paintCloud(
  { still }: Stage,
  cloud: {
    seed: number;
    top: number;
    bottom: number;
    colour: string;
    opacity: number;
    cover: number;
    stretch: number;
    grain: number;
  },
): void {
  const { opacity, cover } = cloud;
  const thinnest = 0.62 - cover * 0.34;
  paintVapour(still, {
    ...cloud,
    octaves: 5,
    opacityAt: (down, noise) =>
      opacity * Math.min(1, down / 0.45, (1 - down) / 0.3) * Math.min(1, Math.max(0, 4.2 * (noise - thinnest))),
  });
}

/** A band of mist about the height `y`, before what stands at `depth`. */
export function paintMist({ still, air, seed, time }: Stage, y: number, height: number, depth: number): void {
  const torn = 0.6 + depth * 0.24;
  const opacity = 0.58 - depth * 0.2;
  paintVapour(still, {
    seed: (seed + Math.round(y)) % 983,
    top: y - height / 2,
    bottom: y + height / 2,
    colour: air.fog(depth),
    grain: 0.0022,
    stretch: 5,
    octaves: 4,
    warmth: (0.8 - depth * 0.4) * { dusk: 1, dawn: 0.75, noon: 0.3, night: 0.3 }[time],
    opacityAt: (down, noise) => {
      const d = Math.abs(down - 0.55) / (down < 0.55 ? 0.55 : 0.45);
      const whole = Math.min(1, Math.max(0, torn * 4 * noise + 1 - torn * 2.3));
      return opacity * (1 - d * d) ** 1.5 * whole;
    },
  });
}

/** A skyline of this stage about `y`. `key` tells the skylines of one picture apart. */
export function hills({ still, seed }: Stage, key: number, form: Omit<Parameters<typeof ridge>[1], "seed">): Ridge {
  return ridge(still, { seed: (seed % 8191) + key * 131, ...form });
}

/** A few birds about (x, y). */
export function paintBirds(stage: Stage, x: number, y: number, count: number, size = 7): void {
  const { chance, air, still } = stage;
  let d = "";
  for (let i = 0; i < count; i++) {
    const [bx, by, s] = [x + (chance() - 0.5) * 230, y + (chance() - 0.5) * 110, size * (0.6 + chance() * 0.9)];
    d += `M${short(bx - s * 1.6)},${short(by - s * 0.55)}Q${short(bx - s * 0.65)},${short(by - s * 0.9)} ${short(bx)},${short(by)}Q${short(bx + s * 0.7)},${short(by - s * 0.95)} ${short(bx + s * 1.6)},${short(by - s * 0.25)}`;
  }
  paint(
    still,
    `<path d="${d}" fill="none" stroke="${air.tone(0.85)}" stroke-width="2" stroke-linecap="round" opacity=".85"/>`,
  );
}

/** What hangs in the air: embers, snow, dust. */
export function paintMotes({ still, chance }: Stage, colour: string, count: number, size = 1): void {
  const { width: w, height: h } = still;
  let svg = "";
  for (let i = 0; i < count; i++) {
    const near = chance() ** 3;
    const r = (0.7 + near * 2.1) * size;
    svg += `<path d="${ellipse(chance() * w, chance() * h, r, r * 0.9)}" opacity="${(0.15 + chance() * 0.45).toFixed(2)}"/>`;
  }
  paint(still, `<g fill="${colour}">${svg}</g>`);
}

/** Lit windows and lamps [x, y, width], each in a glow of its own size. */
export function paintPanes({ still }: Stage, lights: readonly (readonly [x: number, y: number, size: number])[]): void {
  const glow = define(
    still,
    (id) =>
      `<radialGradient id="${id}"><stop offset="0" stop-color="#ffb050" stop-opacity=".8"/><stop offset=".3" stop-color="#ff8a1e" stop-opacity=".42"/><stop offset=".65" stop-color="#ff8000" stop-opacity=".12"/><stop offset="1" stop-color="#ff8000" stop-opacity="0"/></radialGradient>`,
  );
  const halos = lights
    .map(([x, y, size]) => `<circle cx="${short(x)}" cy="${short(y)}" r="${short(size * 3.1)}"/>`)
    .join("");
  const panes = lights.map(([x, y, size]) => rectangle(x - size / 2, y - size * 0.8, size, size * 1.6)).join("");
  paint(still, `<g fill="${glow}">${halos}</g><path d="${panes}" fill="#ffcf83"/>`);
}

/** Still water from `y` to the foot of the picture, the light glittering on it. */
export function paintWater(stage: Stage, y: number, foot?: number): void {
  const { still, air, chance, time } = stage;
  const { width: w, sun } = still;
  const h = foot ?? still.height;
  const fill = gradient(stage, y, h);
  paint(still, `<rect y="${y}" width="${w}" height="${h - y}" fill="${fill}"/>`);
  const bright = { dusk: 1, dawn: 0.8, noon: 0.5, night: 0.45 }[time];
  let glints = "";
  for (let i = 0; i < 460; i++) {
    const t = chance() ** 1.5;
    const spread = (0.02 + t * 0.12) * w;
    const off = (chance() + chance() + chance() - 1.5) * 1.5 * spread;
    const strength = Math.max(0.05, (1 - Math.abs(off) / (spread * 2)) * (0.95 - t * 0.75)) * bright;
    glints += `<path d="${ellipse(sun.x + off, y + 2 + t * (h - y) * 0.92, (5 + t * 44) * (0.3 + chance()), 0.6 + t * 2.2)}" fill="${chance() < 0.4 ? "#ffcf8c" : "#ff8f26"}" opacity="${strength.toFixed(2)}"/>`;
  }
  for (let i = 0; i < 200; i++) {
    const t = chance();
    glints += `<path d="${ellipse(chance() * w, y + 3 + t * (h - y), (10 + t * 90) * (0.3 + chance()), 0.5 + t * 1.4)}" fill="${chance() < 0.5 ? air.fog(0.5) : air.tone(1)}" opacity="${(0.05 + chance() * 0.15).toFixed(2)}"/>`;
  }
  paint(still, glints);
}

function gradient({ still, air }: Stage, y: number, foot: number): string {
  const id = `d${still.defs.length}`;
  const stop = (offset: number, colour: string) => `<stop offset="${offset}" stop-color="${colour}"/>`;
  still.defs.push(
    `<linearGradient id="${id}" gradientUnits="userSpaceOnUse" x1="0" x2="0" y1="${y}" y2="${foot}">${stop(0, air.haze(0.12))}${stop(0.06, air.haze(0.3))}${stop(0.22, air.tone(0.42))}${stop(0.5, air.tone(0.72))}${stop(1, air.tone(1))}</linearGradient>`,
  );
  return `url(#${id})`;
}
