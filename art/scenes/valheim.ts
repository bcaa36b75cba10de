// Valheim: a longship under a striped sail on a misty sea, pine headlands, and a branch of the world tree across the sky.

import { paintLongship } from "../cast/longship.ts";
import { paintWorldTree } from "../cast/world-tree.ts";
import { paintFog } from "../fog.ts";
import { paintLayer } from "../layer.ts";
import { ellipse } from "../outline.ts";
import { seeded } from "../random.ts";
import { ridge, swell } from "../ridge.ts";
import { paintCloud, paintSky, paintStars, paintSun } from "../sky.ts";
import { define, openStill, paint, type Scene, type Shot, type Still, vertical } from "../still.ts";
import { wood } from "../trees.ts";

const PLACES = {
  card: { sun: [0.745, 0.56], ship: [0.455, 0.67], size: 24, horizon: 0.6 },
  wide: { sun: [0.865, 0.52], ship: [0.655, 0.63], size: 27.5, horizon: 0.56 },
  tall: { sun: [0.8, 0.575], ship: [0.43, 0.655], size: 20.5, horizon: 0.61 },
} as const;

/** The scene, for `plan.ts`. */
export const valheim: Scene = { slug: "valheim", draw };

function draw(shot: Shot): Still {
  const { width: w, height: h } = shot;
  const place = PLACES[shot.kind];
  const sea = h * place.horizon;
  const still = openStill(shot, { x: w * place.sun[0], y: h * place.sun[1], radius: h * 0.034 });
  paintSky(
    still,
    [
      [0, "#050f12"],
      [0.3, "#0d272c"],
      [0.62, "#2b4a4b"],
      [0.84, "#7d5b3c"],
      [1, "#c9772c"],
    ],
    sea,
    0.95,
  );
  paintStars(still, 5, 90, sea * 0.5);
  paintCloud(still, {
    seed: 12,
    top: h * 0.12,
    bottom: sea,
    colour: "#9fb0a4",
    opacity: 0.24,
    cover: 0.42,
    stretch: 6,
  });
  paintWorldTree(still);
  paintCloud(still, {
    seed: 31,
    top: h * 0.3,
    bottom: sea + 20,
    colour: "#f0a45c",
    opacity: 0.34,
    cover: 0.3,
    stretch: 9,
  });
  paintSun(still);

  const far = ridge(shot, {
    seed: 4,
    y: sea + 4,
    rise: h * 0.012,
    stretch: w * 0.2,
    lift: (x) => h * (0.13 * swell(x, w * 0.08, w * 0.34) + 0.1 * swell(x, w * 1.0, w * (1 - place.sun[0]) * 0.86)),
  });
  const farWood = wood(far, {
    seed: 41,
    from: 0,
    to: w,
    gap: 5,
    height: h * 0.034,
    grows: (x) => (far.at(x) < sea - 4 ? 1 : 0),
  });
  paintLayer(still, [far.outline, ...farWood], {
    tone: "#3f5a55",
    haze: "#a87444",
    from: h * 0.44,
    to: sea,
    thick: 0.75,
    bleed: 0.4,
  });
  paintFog(still, { seed: 8, y: sea - h * 0.015, height: h * 0.16, colour: "#8fa398", opacity: 0.55, warm: 0.5 });

  paintSea(still, sea);

  const middle = ridge(shot, {
    seed: 9,
    y: sea + h * 0.04,
    rise: h * 0.012,
    stretch: w * 0.12,
    lift: (x) =>
      h * (0.24 * swell(x, -w * 0.03, w * 0.24) + 0.13 * swell(x, w * 1.04, w * (1.04 - place.sun[0]) * 0.62) - 0.03),
  });
  const middleWood = wood(middle, {
    seed: 42,
    from: 0,
    to: w,
    gap: 9,
    height: h * 0.085,
    grows: (x) => (middle.at(x) < sea + h * 0.045 ? 1 : 0),
  });
  const land = clipAbove(still, sea + h * 0.035);
  paint(still, `<g clip-path="${land}">`);
  paintLayer(still, [middle.outline, ...middleWood], {
    tone: "#16302f",
    haze: "#4d5a4e",
    from: h * 0.4,
    to: sea + h * 0.04,
    thick: 0.9,
    bleed: 0.34,
    rim: 0.4,
    rimWidth: 1.6,
  });
  paint(still, "</g>");
  paintFog(still, {
    seed: 19,
    y: sea + h * 0.04,
    height: h * 0.15,
    colour: "#93a79b",
    opacity: 0.5,
    torn: 0.75,
    warm: 0.3,
  });

  paintLongship(still, w * place.ship[0], h * place.ship[1], (place.size * h) / 862);
  paintFog(still, {
    seed: 27,
    y: h * place.ship[1] + h * 0.05,
    height: h * 0.13,
    colour: "#7f978f",
    opacity: 0.4,
    torn: 0.85,
    warm: 0.2,
  });

  const near = ridge(shot, {
    seed: 15,
    y: h * 1.03,
    rise: h * 0.02,
    stretch: w * 0.16,
    lift: (x) => h * (0.3 * swell(x, -w * 0.04, w * 0.3) + 0.2 * swell(x, w * 1.06, w * 0.26)),
  });
  const nearWood = wood(near, {
    seed: 77,
    from: -20,
    to: w + 20,
    gap: 24 * (h / 862),
    height: h * 0.34,
    grows: (x) => (near.at(x) < h * 0.97 ? 1 : 0),
  });
  paintLayer(still, [near.outline, ...nearWood], {
    tone: "#04090a",
    rim: 0.5,
    rimWidth: 1.8,
    reach: w * 0.5,
    bleed: 0.05,
  });
  paintGulls(still);
  return still;
}

function clipAbove(still: Still, y: number): string {
  return define(still, (id) => `<clipPath id="${id}"><rect width="${still.width}" height="${y}"/></clipPath>`);
}

function paintSea(still: Still, sea: number): void {
  const { width: w, height: h, sun } = still;
  const water = vertical(still, sea, h, [
    [0, "#b9783c"],
    [0.05, "#8b6a45"],
    [0.18, "#34504c"],
    [0.45, "#12292c"],
    [1, "#030708"],
  ]);
  paint(still, `<rect y="${sea}" width="${w}" height="${h - sea}" fill="${water}"/>`);
  const chance = seeded(61);
  let glints = "";
  for (let i = 0; i < 620; i++) {
    const t = chance() ** 1.5;
    const y = sea + 2 + t * (h - sea) * 0.92;
    const spread = (0.02 + t * 0.13) * w;
    const off = (chance() + chance() + chance() - 1.5) * 1.5 * spread;
    const long = (5 + t * 46) * (0.3 + chance()) * (h / 862);
    const strength = Math.max(0.06, (1 - Math.abs(off) / (spread * 2)) * (0.95 - t * 0.75));
    glints += `<path d="${ellipse(sun.x + off, y, long, 0.6 + t * 2.2)}" fill="${chance() < 0.4 ? "#ffcf8c" : "#ff8f26"}" opacity="${strength.toFixed(2)}"/>`;
  }
  for (let i = 0; i < 260; i++) {
    const t = chance();
    const long = (10 + t * 90) * (0.3 + chance()) * (h / 862);
    glints += `<path d="${ellipse(chance() * w, sea + 3 + t * (h - sea), long, 0.5 + t * 1.4)}" fill="${chance() < 0.5 ? "#86a69c" : "#020607"}" opacity="${(0.05 + chance() * 0.14).toFixed(2)}"/>`;
  }
  paint(still, glints);
}

function paintGulls(still: Still): void {
  const { width: w, height: h } = still;
  const chance = seeded(6);
  let d = "";
  for (let i = 0; i < 7; i++) {
    const x = still.sun.x + w * (-0.1 + chance() * 0.19);
    const y = h * (0.3 + chance() * 0.14);
    const s = h * (0.007 + chance() * 0.007);
    d += `M${x - s * 1.6},${y - s * 0.5}Q${x - s * 0.7},${y - s * 0.9} ${x},${y}Q${x + s * 0.7},${y - s * 0.9} ${x + s * 1.6},${y - s * 0.3}`;
  }
  paint(
    still,
    `<path d="${d}" fill="none" stroke="#0a1516" stroke-width="${h * 0.0022}" stroke-linecap="round" opacity=".8"/>`,
  );
}
