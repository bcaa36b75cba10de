// Skyrim Together: steep snowy crags, a ruined stone arch on the pass, and a dragon's wing far off.
import { crag } from "../cast/crags.ts";
import { paintDragon } from "../cast/dragon.ts";
import { ruinedArch } from "../cast/ruined-arch.ts";
import { paintFog } from "../fog.ts";
import { paintLayer } from "../layer.ts";
import { ellipse } from "../outline.ts";
import { seeded } from "../random.ts";
import { ridge, swell } from "../ridge.ts";
import { paintCloud, paintShafts, paintSky, paintStars, paintSun } from "../sky.ts";
import { openStill, paint, type Scene, type Shot, type Still } from "../still.ts";
import { wood } from "../trees.ts";

const PLACES = {
  card: { sun: [0.3, 0.52], arch: [0.63, 0.8], size: 1, dragon: [0.47, 0.25, 0.92], peaks: [0.83, 0.06] },
  wide: { sun: [0.6, 0.48], arch: [0.8, 0.79], size: 1.16, dragon: [0.7, 0.27, 0.98], peaks: [0.93, 0.3] },
  tall: { sun: [0.34, 0.56], arch: [0.66, 0.79], size: 1.05, dragon: [0.56, 0.36, 0.8], peaks: [0.9, 0.02] },
} as const;

/** The scene, for `plan.ts`. */
export const skyrim: Scene = { slug: "skyrimtogheter", draw };

function draw(shot: Shot): Still {
  const { width: w, height: h } = shot;
  const place = PLACES[shot.kind];
  const u = h / 862;
  const still = openStill(shot, { x: w * place.sun[0], y: h * place.sun[1], radius: h * 0.028 });
  paintSky(
    still,
    [
      [0, "#070b18"],
      [0.3, "#14223c"],
      [0.62, "#3a4a66"],
      [0.85, "#7c6a66"],
      [1, "#b9784a"],
    ],
    h * 0.64,
    0.95,
  );
  paintStars(still, 71, 130, h * 0.4);
  paintCloud(still, {
    seed: 14,
    top: 0,
    bottom: h * 0.6,
    colour: "#8ea3c4",
    opacity: 0.22,
    cover: 0.44,
    stretch: 4,
    grain: 0.002,
  });
  paintCloud(still, {
    seed: 3,
    top: h * 0.34,
    bottom: h * 0.62,
    colour: "#ff9c4c",
    opacity: 0.3,
    cover: 0.36,
    stretch: 8,
  });
  paintShafts(still, [-152, -118, -84, -55, -28, -8], h * 0.75, 0.14);
  paintSun(still);

  const [right, left] = place.peaks;
  crag(still, {
    seed: 5,
    y: h * 0.6,
    peaks: [
      [left + 0.02, 0.2, 0.2],
      [0.52, 0.17, 0.16],
      [right - 0.1, 0.26, 0.22],
    ],
    tone: "#4a5872",
    snow: "#a9b2c4",
    haze: "#8a6e66",
    foot: h * 0.66,
    strength: 0.4,
    bleed: 0.35,
  });
  paintFog(still, { seed: 3, y: h * 0.6, height: h * 0.2, colour: "#978f94", opacity: 0.45, warm: 0.5 });
  crag(still, {
    seed: 11,
    y: h * 0.7,
    peaks: [
      [left - 0.03, 0.44, 0.19],
      [0.44, 0.07, 0.14],
      [right, 0.54, 0.24],
    ],
    tone: "#27344c",
    snow: "#b4c0d6",
    haze: "#5a5c6c",
    foot: h * 0.76,
    strength: 0.62,
    bleed: 0.26,
  });
  paintDragon(still, w * place.dragon[0], h * place.dragon[1], 21 * u * place.dragon[2]);
  paintFog(still, { seed: 21, y: h * 0.68, height: h * 0.2, colour: "#9aa3b6", opacity: 0.55, torn: 0.75, warm: 0.35 });

  const pass = ridge(shot, {
    seed: 33,
    y: h * 0.86,
    rise: h * 0.018,
    stretch: w * 0.11,
    roughness: 0.55,
    lift: (x) =>
      h *
      (0.07 * swell(x, w * place.arch[0], w * 0.26) +
        0.15 * swell(x, w * (right + 0.2), w * 0.25) -
        0.03 * swell(x, w * place.sun[0], w * 0.2)),
  });
  const trees = wood(pass, {
    seed: 7,
    from: 0,
    to: w,
    gap: 13 * u,
    height: h * 0.12,
    grows: (x) => (Math.abs(x / w - place.arch[0]) < 0.2 ? 0 : 0.75),
  });
  const x = w * place.arch[0];
  const stones = ruinedArch(x, pass.at, 33 * u * place.size);
  paintLayer(still, [...stones, ...trees], {
    tone: "#0d1420",
    haze: "#1b2434",
    from: h * 0.5,
    to: h * 0.84,
    bleed: 0.16,
    rim: 1,
    rimWidth: 3 * u,
    reach: h * 0.9,
  });
  paintLayer(still, [pass.outline], {
    tone: "#414e68",
    haze: "#0a0f19",
    from: h * 0.76,
    to: h * 0.93,
    bleed: 0.3,
    rim: 0.8,
    rimWidth: 2 * u,
    reach: h * 0.9,
  });
  paintFog(still, { seed: 37, y: h * 0.92, height: h * 0.14, colour: "#55617a", opacity: 0.36, torn: 0.8, warm: 0.2 });

  const near = ridge(shot, {
    seed: 52,
    y: h * 1.0,
    rise: h * 0.03,
    stretch: w * 0.13,
    roughness: 0.58,
    lift: (px) => h * (0.2 * swell(px, -w * 0.02, w * 0.24) + 0.08 * swell(px, w * 1.02, w * 0.3)),
  });
  const nearTrees = wood(near, { seed: 19, from: -20, to: w * 0.24, gap: 34 * u, height: h * 0.3 });
  paintLayer(still, [near.outline, ...nearTrees], {
    tone: "#05080e",
    rim: 0.4,
    rimWidth: 1.8 * u,
    reach: w * 0.5,
    bleed: 0.06,
  });
  paintSnowfall(still);
  return still;
}

function paintSnowfall(still: Still): void {
  const { width: w, height: h } = still;
  const chance = seeded(17);
  let svg = "";
  for (let i = 0; i < 240; i++) {
    const near = chance() ** 3;
    svg += `<path d="${ellipse(chance() * w, chance() * h, (0.7 + near * 2.4) * (h / 862), (0.7 + near * 1.9) * (h / 862))}" opacity="${(0.12 + chance() * 0.42 * (1 - near * 0.6)).toFixed(2)}"/>`;
  }
  paint(still, `<g fill="#e9e2dc">${svg}</g>`);
}
