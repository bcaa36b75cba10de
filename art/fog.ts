// Fog between the layers: a torn band of light air.
import { define, paint, round, type Still, vertical } from "./still.ts";

/** A band of fog centred on `y`, warmer where the sun stands behind it. */
export function paintFog(
  still: Still,
  fog: { seed: number; y: number; height: number; colour: string; opacity: number; torn?: number; warm?: number },
): void {
  const { width, height: tall, sun } = still;
  const { seed, y, height, colour, opacity, torn = 0.6, warm = 0 } = fog;
  const [top, bottom] = [y - height / 2, y + height / 2];
  const filter = define(
    still,
    (id) =>
      `<filter id="${id}" filterUnits="userSpaceOnUse" x="0" y="${top}" width="${width}" height="${height}"><feTurbulence type="fractalNoise" baseFrequency="0.0022 0.011" numOctaves="4" seed="${seed}"/><feColorMatrix values="0 0 0 0 0  0 0 0 0 0  0 0 0 0 0  ${torn * 4} 0 0 0 ${1 - torn * 2.3}" result="torn"/><feComposite in="SourceGraphic" in2="torn" operator="in"/></filter>`,
  );
  const band = (tint: string, strength: number) =>
    vertical(still, top, bottom, [
      [0, tint, 0],
      [0.3, tint, strength * 0.55],
      [0.55, tint, strength],
      [0.8, tint, strength * 0.5],
      [1, tint, 0],
    ]);
  const box = `y="${top}" width="${width}" height="${height}"`;
  let svg = `<rect ${box} fill="${band(colour, opacity)}"/>`;
  if (warm > 0) {
    const near = round(
      still,
      sun.x,
      y,
      height * 0.5,
      [
        [0, "#ff9a3c", warm],
        [0.5, "#ff8000", warm * 0.4],
        [1, "#ff8000", 0],
      ],
      Math.max(1.5, (tall * 0.8) / height),
    );
    svg += `<rect ${box} fill="${near}"/>`;
  }
  paint(still, `<g filter="${filter}">${svg}</g>`);
}
