// Ridgelines from noise: hills, crags and shores, closed down to the foot of the picture.
import { type Point, polygon } from "./outline.ts";
import { fractalNoise } from "./random.ts";

/** A skyline: its outline, and its height at any x, to stand things on it. */
export type Ridge = { readonly outline: string; readonly at: (x: number) => number };

/**
 * A skyline about `y`, rising and falling by `rise` pixels, one feature every `stretch` pixels.
 * `lift` adds a hand-placed form (pixels upwards at x). `step` is the sampling distance.
 */
export function ridge(
  size: { width: number; height: number },
  form: {
    seed: number;
    y: number;
    rise: number;
    stretch: number;
    octaves?: number;
    roughness?: number;
    pointed?: boolean;
    lift?: (x: number) => number;
    step?: number;
  },
): Ridge {
  const { seed, y, rise, stretch, octaves = 6, roughness = 0.48, pointed = false, lift = () => 0, step = 3 } = form;
  const noise = fractalNoise(seed, octaves, roughness);
  const at = (x: number) => {
    const n = noise(x / stretch);
    return y - lift(x) - rise * (pointed ? 1 - 2 * Math.abs(n) : n);
  };
  const points: Point[] = [];
  // Past the frame on every side, so that a blur never meets the end of it.
  for (let x = -60; x <= size.width + 60; x += step) points.push([x, at(x)]);
  points.push([size.width + 60, size.height + 60], [-60, size.height + 60]);
  return { outline: polygon(points), at };
}

/** A smooth swell: 1 at `centre`, 0 beyond `reach` pixels. For `lift`. */
export function swell(x: number, centre: number, reach: number): number {
  const d = Math.abs(x - centre) / reach;
  return d >= 1 ? 0 : (1 - d * d) ** 2;
}
