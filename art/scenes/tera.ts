// Tera: a city grown into a colossal tree, its windows lit, bridges to the neighbour trunks, small airships on their way.

import { paintAirships } from "../cast/airships.ts";
import { farTree, paintTree, sideTrunk } from "../cast/tree-city.ts";
import { paintFog } from "../fog.ts";
import { paintLayer } from "../layer.ts";
import { ellipse } from "../outline.ts";
import { seeded } from "../random.ts";
import { ridge, swell } from "../ridge.ts";
import { paintCloud, paintShafts, paintSky, paintStars, paintSun } from "../sky.ts";
import { openStill, paint, type Scene, type Shot, type Still } from "../still.ts";
import { crown } from "../trees.ts";

const PLACES = {
  card: { sun: [0.25, 0.6], tree: 0.57, size: 1 },
  wide: { sun: [0.545, 0.57], tree: 0.745, size: 1.02 },
  tall: { sun: [0.22, 0.62], tree: 0.56, size: 1.12 },
} as const;

/** The scene, for `plan.ts`. */
export const tera: Scene = { slug: "tera", draw };

function draw(shot: Shot): Still {
  const { width: w, height: h } = shot;
  const place = PLACES[shot.kind];
  const u = (h / 862) * (shot.kind === "tall" ? 0.8 : 0.98);
  const still = openStill(shot, { x: w * place.sun[0], y: h * place.sun[1], radius: h * 0.036 });
  paintSky(
    still,
    [
      [0, "#241021"],
      [0.3, "#472039"],
      [0.6, "#663642"],
      [0.85, "#b0603f"],
      [1, "#e0883a"],
    ],
    h * 0.7,
    0.95,
  );
  paintStars(still, 8, 70, h * 0.35, "#ffe6d8");
  paintCloud(still, {
    seed: 25,
    top: h * 0.05,
    bottom: h * 0.7,
    colour: "#e58a6a",
    opacity: 0.3,
    cover: 0.42,
    stretch: 5,
  });
  paintCloud(still, {
    seed: 6,
    top: h * 0.4,
    bottom: h * 0.72,
    colour: "#ffb066",
    opacity: 0.4,
    cover: 0.38,
    stretch: 9,
  });
  paintShafts(still, [-160, -128, -96, -62, -38, -20], h * 0.9, 0.16);
  paintSun(still);

  const x = w * place.tree;
  const far = ridge(shot, {
    seed: 4,
    y: h * 0.7,
    rise: h * 0.05,
    stretch: w * 0.24,
    lift: (px) => h * 0.05 * swell(px, w * 0.9, w * 0.4),
  });
  paintLayer(still, [far.outline], { tone: "#7a4650", haze: "#c07a55", from: h * 0.6, to: h * 0.78, bleed: 0.4 });
  farTree(still, x - w * (shot.kind === "wide" ? 0.16 : 0.26), h * 0.74, 0.34 * u, 31, "#74404a");
  farTree(still, x + 0.34 * w * (shot.kind === "wide" ? 0.62 : 1), h * 0.75, 0.46 * u, 77, "#6a3a48");
  paintFog(still, { seed: 5, y: h * 0.7, height: h * 0.22, colour: "#b98468", opacity: 0.5, warm: 0.5 });

  sideTrunk(still, x + 640 * u * place.size, h * 0.86, u * place.size, 1);
  if (shot.kind !== "wide") sideTrunk(still, x - 650 * u * place.size, h * 0.86, u * place.size, -1);
  paintTree(still, x, h * 0.86, u * place.size);
  paintAirships(still, u);
  paintFog(still, { seed: 18, y: h * 0.8, height: h * 0.24, colour: "#b98074", opacity: 0.55, torn: 0.75, warm: 0.4 });

  const middle = ridge(shot, {
    seed: 16,
    y: h * 0.9,
    rise: h * 0.035,
    stretch: w * 0.12,
    lift: (px) => h * 0.06 * swell(px, x, w * 0.3),
  });
  const canopy = Array.from({ length: 60 }, (_, i) => (i + 0.5) * (w / 60)).flatMap((px, i) =>
    crown(px, middle.at(px), 36 * u, 22 * u, 200 + i, 9),
  );
  paintLayer(still, [middle.outline, ...canopy], {
    tone: "#2a1720",
    haze: "#1e1015",
    from: h * 0.82,
    to: h,
    bleed: 0.25,
    rim: 0.6,
    rimWidth: 1.8 * u,
  });
  paintFog(still, { seed: 29, y: h * 0.93, height: h * 0.14, colour: "#a06a60", opacity: 0.4, torn: 0.8, warm: 0.3 });
  const near = ridge(shot, {
    seed: 63,
    y: h * 1.01,
    rise: h * 0.03,
    stretch: w * 0.15,
    lift: (px) => h * (0.16 * swell(px, -w * 0.03, w * 0.26) + 0.12 * swell(px, w * 1.03, w * 0.24)),
  });
  const leaves = Array.from({ length: 44 }, (_, i) => (i + 0.5) * (w / 44)).flatMap((px, i) =>
    crown(px, near.at(px) + 8 * u, 50 * u, 32 * u, 500 + i, 12),
  );
  paintLayer(still, [near.outline, ...leaves], {
    tone: "#0b0609",
    rim: 0.45,
    rimWidth: 1.8 * u,
    reach: w * 0.45,
    bleed: 0.06,
  });
  paintMotes(still, u);
  return still;
}

function paintMotes(still: Still, u: number): void {
  const chance = seeded(90);
  let svg = "";
  for (let i = 0; i < 70; i++) {
    svg += `<path d="${ellipse(chance() * still.width, still.height * (0.35 + chance() * 0.6), (0.8 + chance() ** 3 * 2) * u)}" opacity="${(0.2 + chance() * 0.5).toFixed(2)}"/>`;
  }
  paint(still, `<g fill="#ffb35c">${svg}</g>`);
}
