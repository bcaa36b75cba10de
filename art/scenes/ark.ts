// ARK: a long-necked giant over jungle mist, an obelisk hanging in the sky, pterosaurs.

import { paintObelisk } from "../cast/obelisk.ts";
import { paintFlyers } from "../cast/pterosaurs.ts";
import { herd, sauropod } from "../cast/sauropod.ts";
import { paintFog } from "../fog.ts";
import { paintLayer } from "../layer.ts";
import { marks } from "../outline.ts";
import { seeded } from "../random.ts";
import { ridge, swell } from "../ridge.ts";
import { paintCloud, paintShafts, paintSky, paintStars, paintSun } from "../sky.ts";
import { openStill, type Scene, type Shot, type Still } from "../still.ts";
import { crown, frond, palm } from "../trees.ts";

/** The scene, for `plan.ts`. */
export const ark: Scene = { slug: "arksurvivalevolved", draw };

function draw(shot: Shot): Still {
  const { width: w, height: h } = shot;
  const u = h / 862;
  const still = openStill(shot, { x: w * 0.4, y: h * 0.535, radius: h * 0.046 });
  paintSky(
    still,
    [
      [0, "#07120d"],
      [0.3, "#15301f"],
      [0.6, "#4a5a36"],
      [0.85, "#a5753a"],
      [1, "#d68434"],
    ],
    h * 0.68,
    0.9,
  );
  paintStars(still, 3, 60, h * 0.3);
  paintCloud(still, {
    seed: 44,
    top: 0,
    bottom: h * 0.62,
    colour: "#a9b48c",
    opacity: 0.26,
    cover: 0.44,
    stretch: 4.5,
  });
  paintCloud(still, {
    seed: 7,
    top: h * 0.36,
    bottom: h * 0.66,
    colour: "#ffab5c",
    opacity: 0.34,
    cover: 0.36,
    stretch: 8,
  });
  paintObelisk(still, w * 0.165, h * 0.27, 30 * u);
  paintShafts(still, [-168, -140, -110, -75, -45, -18], h * 0.85, 0.15);
  paintSun(still);
  const far = ridge(shot, {
    seed: 8,
    y: h * 0.62,
    rise: h * 0.03,
    stretch: w * 0.16,
    roughness: 0.5,
    lift: (x) => h * (0.2 * swell(x, w * 0.93, w * 0.22) + 0.08 * swell(x, w * 0.06, w * 0.2)),
  });
  paintLayer(still, [far.outline], {
    tone: "#4c5c44",
    haze: "#b98546",
    from: h * 0.45,
    to: h * 0.7,
    bleed: 0.5,
    rim: 0.3,
    rimWidth: 1.6,
  });
  paintFog(still, { seed: 2, y: h * 0.66, height: h * 0.2, colour: "#a79a6c", opacity: 0.5, warm: 0.5 });

  const distant = ridge(shot, {
    seed: 17,
    y: h * 0.73,
    rise: h * 0.02,
    stretch: w * 0.1,
    lift: (x) => h * (0.05 * swell(x, w * 0.05, w * 0.25) + 0.06 * swell(x, w * 1.0, w * 0.25)),
  });
  const distantTrees = spread(w, 46, (x, i) => crown(x, distant.at(x) - 4, 30 * u, (14 + (i % 3) * 6) * u, 40 + i, 9));
  paintLayer(still, [distant.outline, ...distantTrees, ...herd(w * 0.22, distant.at(w * 0.22) - 6, 10 * u)], {
    tone: "#35442e",
    haze: "#7d6a3e",
    from: h * 0.62,
    to: h * 0.8,
    bleed: 0.4,
    rim: 0.4,
    rimWidth: 1.6,
  });
  paintFog(still, { seed: 13, y: h * 0.76, height: h * 0.18, colour: "#9a9468", opacity: 0.5, torn: 0.75, warm: 0.5 });

  const giant = sauropod(w * 0.565, h * 0.865, 57 * u);
  paintLayer(still, giant, {
    tone: "#101a11",
    haze: "#2b321c",
    from: h * 0.5,
    to: h * 0.86,
    thick: 0.8,
    bleed: 0.16,
    rim: 1,
    rimWidth: 3.2 * u,
    reach: h * 0.9,
  });
  paintFog(still, {
    seed: 24,
    y: h * 0.83,
    height: h * 0.17,
    colour: "#8a8a5e",
    opacity: 0.55,
    torn: 0.75,
    warm: 0.45,
  });

  const middle = ridge(shot, {
    seed: 29,
    y: h * 0.89,
    rise: h * 0.02,
    stretch: w * 0.09,
    lift: (x) => h * (0.08 * swell(x, w * 0.02, w * 0.24) + 0.1 * swell(x, w * 1.0, w * 0.2)),
  });
  const bushes = spread(w, 40, (x, i) =>
    crown(x, middle.at(x), (38 + (i % 4) * 8) * u, (20 + (i % 5) * 7) * u, 300 + i, 12),
  );
  const palms = marks(".13,170,26 .24,120,-20 .855,180,-30 .78,110,14").flatMap(([px, tall, lean], i) =>
    palm(w * px, middle.at(w * px) + 10, tall * u, lean * u, 60 + i),
  );
  paintLayer(still, [middle.outline, ...bushes, ...palms], {
    tone: "#0c160d",
    haze: "#2a3019",
    from: h * 0.7,
    to: h,
    bleed: 0.18,
    rim: 0.8,
    rimWidth: 2.2 * u,
  });
  paintFlyers(still, u);
  paintFog(still, { seed: 39, y: h * 0.95, height: h * 0.12, colour: "#6d7048", opacity: 0.35, torn: 0.85, warm: 0.2 });

  const chance = seeded(66);
  const near = ridge(shot, {
    seed: 51,
    y: h * 1.03,
    rise: h * 0.02,
    stretch: w * 0.1,
    lift: (x) => h * (0.14 * swell(x, 0, w * 0.28) + 0.14 * swell(x, w, w * 0.28)),
  });
  const ferns: string[] = [];
  for (const [fx, fy, long] of marks("-.01,.86,300 .09,.99,210 1.01,.88,290 .91,1.0,220 .3,1.04,150 .7,1.04,150")) {
    for (let i = 0; i < 9; i++)
      ferns.push(
        ...frond(
          w * fx,
          h * fy,
          long * u * (0.7 + chance() * 0.4),
          (i % 2 === 0 ? -(i / 8) * 1.15 : -Math.PI + (i / 8) * 1.15) + (chance() - 0.5) * 0.14,
          chance,
        ),
      );
  }
  paintLayer(still, [near.outline, ...ferns, ...palm(w * 0.955, h * 0.98, 560 * u, -40 * u, 91)], {
    tone: "#040806",
    rim: 0.55,
    rimWidth: 2 * u,
    reach: w * 0.5,
    bleed: 0.06,
  });
  return still;
}

function spread(w: number, count: number, make: (x: number, i: number) => string[]): string[] {
  return Array.from({ length: count }, (_, i) => make(((i + 0.5) * w) / count, i)).flat();
}
