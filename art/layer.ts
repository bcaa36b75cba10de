// One depth of the picture: silhouettes that stand in the same air, share one tone, and catch the sun alike.
import { LIGHT, mix } from "./colour.ts";
import { paint, round, type Still, vertical } from "./still.ts";

/** How one depth looks. Heights in pixels, strengths 0..1. */
export type Air = {
  /** Colour of the silhouettes. */
  tone: string;
  /** What they dissolve into at the foot. */
  haze?: string;
  /** Where the haze begins and where it is thickest. */
  from?: number;
  to?: number;
  /** How far the haze wins at the foot. */
  thick?: number;
  /** How much the sun bleeds over the silhouettes in front of it. */
  bleed?: number;
  /** Brightness and width of the lit edge. */
  rim?: number;
  rimWidth?: number;
  /** How far from the sun the light reaches, in pixels. */
  reach?: number;
};

/** Paints silhouettes (path data) as one depth. Separate outlines may overlap. */
export function paintLayer(still: Still, outlines: readonly string[], air: Air): void {
  const { sun, height } = still;
  const { tone, haze = tone, from = height * 0.4, to = height, thick = 1, bleed = 0, rim = 0, rimWidth = 2 } = air;
  const { reach = height * 0.7 } = air;
  // One path: all outlines are wound alike, so that what overlaps is filled once.
  const all = outlines.join("");
  if (rim > 0) {
    const edge = round(still, sun.x, sun.y, reach, [
      [0, "#ffd9a0", rim],
      [0.3, "#ff9a3c", rim * 0.8],
      [0.7, LIGHT.ember, rim * 0.4],
      [1, LIGHT.ember, 0],
    ]);
    // A copy drawn a little nearer to the sun shows only along the edges that face it.
    const k = 1 - rimWidth / 460;
    const shift = `translate(${sun.x} ${sun.y}) scale(${k}) translate(${-sun.x} ${-sun.y})`;
    paint(still, `<path d="${all}" transform="${shift}" fill="${edge}"/>`);
  }
  const body = vertical(still, from, to, [
    [0, tone],
    [1, mix(tone, haze, thick)],
  ]);
  paint(still, `<path d="${all}" fill="${body}"/>`);
  if (bleed > 0) {
    const light = round(still, sun.x, sun.y, reach, [
      [0, LIGHT.glow, bleed],
      [0.3, LIGHT.glow, bleed * 0.5],
      [0.7, LIGHT.ember, bleed * 0.14],
      [1, LIGHT.ember, 0],
    ]);
    paint(still, `<path d="${all}" fill="${light}"/>`);
  }
}
