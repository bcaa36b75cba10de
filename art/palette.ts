// The colours of a drawn scene: everything but its one warm light comes from a hue and a time of day.
import type { Daytime } from "#shared/scene-hint.ts";
import { mix } from "./colour.ts";

/** The colours of one picture. Depths go from 0 (the horizon) to 1 (the frame in front). */
export type Palette = {
  readonly sky: readonly (readonly [offset: number, colour: string])[];
  /** How strongly the light glows in the air (0..1). */
  readonly glow: number;
  readonly stars: number;
  readonly cloud: string;
  readonly cloudCover: number;
  /** Cloud near the light. */
  readonly litCloud: string;
  /** Where sky and land meet. */
  readonly horizon: string;
  tone(depth: number): string;
  haze(depth: number): string;
  fog(depth: number): string;
};

/** A colour of OKLCH (lightness 0..1, chroma, hue in degrees) as `#rrggbb`; chroma gives way where a screen has no such colour. */
function oklch(lightness: number, chroma: number, hue: number): string {
  for (let c = chroma; ; c -= 0.01) {
    const rgb = linear(lightness, Math.max(0, c), (hue * Math.PI) / 180);
    if (c > 0 && rgb.some((v) => v < -0.0005 || v > 1.0005)) continue;
    const bytes = rgb.map((v) => {
      const held = Math.min(1, Math.max(0, v));
      return Math.round(255 * (held <= 0.0031308 ? 12.92 * held : 1.055 * held ** (1 / 2.4) - 0.055));
    });
    return `#${bytes.map((v) => v.toString(16).padStart(2, "0")).join("")}`;
  }
}

/** Linear light of red, green and blue, by Björn Ottosson's OKLab. */
function linear(lightness: number, chroma: number, angle: number): [number, number, number] {
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

/** What a time of day does: lightness from the zenith to the horizon, the warmth of the horizon, the reach of the light. */
const TIMES = {
  dusk: {
    top: 0.15,
    middle: 0.41,
    foot: 0.69,
    chroma: 0.066,
    warm: 0.88,
    glow: 0.95,
    stars: 60,
    far: 0.45,
    cover: 0.42,
  },
  dawn: {
    top: 0.27,
    middle: 0.55,
    foot: 0.79,
    chroma: 0.068,
    warm: 0.62,
    glow: 0.66,
    stars: 14,
    far: 0.58,
    cover: 0.34,
  },
  noon: { top: 0.33, middle: 0.5, foot: 0.66, chroma: 0.05, warm: 0.4, glow: 0.42, stars: 0, far: 0.52, cover: 0.55 },
  night: {
    top: 0.09,
    middle: 0.21,
    foot: 0.4,
    chroma: 0.062,
    warm: 0.22,
    glow: 0.34,
    stars: 260,
    far: 0.3,
    cover: 0.3,
  },
} as const satisfies Record<Daytime, object>;

/** The palette of a hue (degrees of OKLCH) at a time of day. */
export function paletteOf(hue: number, time: Daytime): Palette {
  const { top, middle, foot, chroma, warm, glow, stars, far, cover } = TIMES[time];
  const ember = oklch(foot, time === "dawn" ? 0.11 : 0.15, time === "dawn" ? 66 : 56);
  const air = (lightness: number, share = 1) => oklch(lightness, chroma * share, hue);
  const horizon = mix(air(foot), ember, warm);
  const tone = (depth: number) => {
    const back = Math.max(0, 1 - depth) ** 1.45;
    const own = oklch(0.115 + (far - 0.115) * back, 0.016 + 0.034 * back, hue);
    return mix(own, horizon, 0.16 * back);
  };
  return {
    sky: [
      [0, air(top, 0.62)],
      [0.3, air(top + (middle - top) * 0.45, 0.9)],
      [0.6, mix(air(middle), ember, 0.16 * warm)],
      [0.84, mix(air((middle + foot) / 2), ember, 0.66 * warm)],
      [1, horizon],
    ],
    glow,
    stars,
    cloud: air(Math.min(0.78, middle + 0.26), 0.6),
    cloudCover: cover,
    litCloud: mix(air(foot), "#ffa050", Math.min(1, warm + 0.12)),
    horizon,
    tone,
    haze: (depth) => mix(tone(depth), horizon, 0.72 * Math.max(0, 1 - depth) ** 1.15),
    fog: (depth) => mix(air(Math.max(0.3, middle + 0.2 - depth * 0.22), 0.55), horizon, 0.34 * (1 - depth)),
  };
}
