// Aion: isles afloat over a sea of cloud, threads of falling water, and a monument of two great feathered wings.

import { type Isle, isles } from "../cast/isles.ts";
import { paintWings } from "../cast/stone-wings.ts";
import { paintFog } from "../fog.ts";
import { paintLayer } from "../layer.ts";
import { ellipse } from "../outline.ts";
import { seeded } from "../random.ts";
import { ridge, swell } from "../ridge.ts";
import { paintCloud, paintShafts, paintSky, paintStars, paintSun } from "../sky.ts";
import { define, openStill, paint, type Scene, type Shot, type Still } from "../still.ts";

/** The scene, for `plan.ts`. */
export const aion: Scene = { slug: "aion", draw };

function draw(shot: Shot): Still {
  const { width: w, height: h } = shot;
  const u = h / 862;
  const still = openStill(shot, { x: w * 0.52, y: h * 0.375, radius: h * 0.055 });
  paintSky(
    still,
    [
      [0, "#0c0820"],
      [0.35, "#2a1a4a"],
      [0.65, "#5d3768"],
      [0.88, "#a8604f"],
      [1, "#d0813e"],
    ],
    h * 0.78,
    0.85,
  );
  paintStars(still, 21, 190, h * 0.55);
  paintCloud(still, {
    seed: 52,
    top: 0,
    bottom: h * 0.5,
    colour: "#a48bd0",
    opacity: 0.26,
    cover: 0.42,
    stretch: 3.5,
    grain: 0.002,
  });
  paintCloud(still, {
    seed: 9,
    top: h * 0.35,
    bottom: h * 0.78,
    colour: "#f0a07c",
    opacity: 0.34,
    cover: 0.42,
    stretch: 6,
  });
  paintShafts(still, [-170, -144, -118, -90, -62, -36, -10], h * 0.85, 0.16);
  paintSun(still);

  const tiny: Isle[] = [
    { x: w * 0.31, y: h * 0.3, half: 42 * u, deep: 70 * u, seed: 3, falls: 1 },
    { x: w * 0.7, y: h * 0.235, half: 54 * u, deep: 84 * u, seed: 14, falls: 1 },
    { x: w * 0.93, y: h * 0.45, half: 60 * u, deep: 90 * u, seed: 25, falls: 1 },
    { x: w * 0.07, y: h * 0.5, half: 50 * u, deep: 76 * u, seed: 36, falls: 1 },
  ];
  isles(still, tiny, { tone: "#7b5580", haze: "#c0806c", bleed: 0.45, rim: 0.4 }, u * 0.5, h * 0.78);
  cloudSea(still, h * 0.76, "#8a5d80", 5, 0.9);
  paintFog(still, { seed: 6, y: h * 0.74, height: h * 0.2, colour: "#d09a96", opacity: 0.45, warm: 0.6 });

  const main: Isle = { x: w * 0.52, y: h * 0.61, half: 218 * u, deep: 232 * u, seed: 47, falls: 3 };
  paintWings(still, main.x, main.y + 4 * u, 49 * u);
  isles(still, [main], { tone: "#24142f", haze: "#4e2c48", bleed: 0.26, rim: 0.9 }, u, h * 0.9);
  cloudSea(still, h * 0.86, "#4f3258", 15, 0.9);
  paintFog(still, { seed: 16, y: h * 0.85, height: h * 0.18, colour: "#b07a94", opacity: 0.42, torn: 0.75, warm: 0.4 });

  const near: Isle[] = [
    { x: w * 0.145, y: h * 0.43, half: 128 * u, deep: 215 * u, seed: 58, falls: 2 },
    { x: w * 0.885, y: h * 0.645, half: 165 * u, deep: 240 * u, seed: 69, falls: 2 },
  ];
  isles(still, near, { tone: "#120b20", haze: "#2c1c3a", bleed: 0.1, rim: 1 }, u, h * 0.98);
  cloudSea(still, h * 0.955, "#1f1430", 27, 1);
  paintFeathers(still, u);
  return still;
}

/** A bank of cloud with rounded heads, top edge at about `y`. */
function cloudSea(still: Still, y: number, tone: string, seed: number, opacity: number): void {
  const { width: w, height: h } = still;
  const chance = seeded(seed);
  const line = ridge(still, {
    seed,
    y,
    rise: h * 0.02,
    stretch: w * 0.16,
    lift: (x) => h * (0.05 * swell(x, 0, w * 0.4) + 0.05 * swell(x, w, w * 0.4)),
  });
  const heads: string[] = [];
  for (let x = -80; x < w + 80; x += h * 0.03) {
    const size = h * (0.018 + chance() ** 2 * 0.05);
    heads.push(ellipse(x + chance() * 20, line.at(x) + size * 0.25, size * 1.7, size * 0.72));
  }
  const soft = define(
    still,
    (id) =>
      `<filter id="${id}" filterUnits="userSpaceOnUse" x="-60" y="-60" width="${w + 120}" height="${h + 120}"><feGaussianBlur stdDeviation="${h * 0.0045}"/></filter>`,
  );
  const air = { tone, haze: "#150d20", from: y, to: h * 1.02, thick: 0.85, bleed: 0.4, reach: h * 0.75 };
  // A sharp bank lies just under the soft one: a blur has nothing to draw on beyond the frame and would fade there.
  paint(still, `<g opacity="${opacity}"><g transform="translate(0 ${h * 0.012})">`);
  paintLayer(still, [line.outline, ...heads], air);
  paint(still, `</g><g filter="${soft}">`);
  paintLayer(still, [line.outline, ...heads], { ...air, rim: 0.75, rimWidth: 4 });
  paint(still, "</g></g>");
}

function paintFeathers(still: Still, u: number): void {
  const chance = seeded(4);
  let svg = "";
  for (let i = 0; i < 60; i++) {
    const size = (0.8 + chance() ** 3 * 2.2) * u;
    svg += `<path d="${ellipse(chance() * still.width, still.height * (0.15 + chance() * 0.75), size * 1.8, size * 0.6, chance() * 180)}" opacity="${(0.2 + chance() * 0.55).toFixed(2)}"/>`;
  }
  paint(still, `<g fill="#ffd9b0">${svg}</g>`);
}
