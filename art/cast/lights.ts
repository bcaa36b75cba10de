import { ellipse, rectangle } from "../outline.ts";
import { define, paint, type Still } from "../still.ts";

/** Paints lit panes [x, y, width] and the glow about them. */
export function paintLights(
  still: Still,
  lights: readonly (readonly [x: number, y: number, size: number])[],
  s: number,
): void {
  const soft = define(
    still,
    (id) =>
      `<filter id="${id}" x="-10%" y="-10%" width="120%" height="120%"><feGaussianBlur stdDeviation="${4.5 * s}"/></filter>`,
  );
  const glow = lights.map(([x, y, size]) => ellipse(x, y, size * 2)).join("");
  const panes = lights.map(([x, y, size]) => rectangle(x - size / 2, y - size * 0.8, size, size * 1.6)).join("");
  paint(still, `<path d="${glow}" fill="#ff8a1e" opacity=".75" filter="${soft}"/><path d="${panes}" fill="#ffcf83"/>`);
}
