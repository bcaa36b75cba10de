// The Front: a fortified ridge, walls and guns under smoke, a watchtower, and a searchlight feeling the sky.
import { bunker, hedgehog, radar, ruins, turret, wall, watchtower } from "../cast/fortress.ts";
import { paintSearchlight, paintSmoke } from "../cast/smoke-and-searchlight.ts";
import { paintFog } from "../fog.ts";
import { paintLayer } from "../layer.ts";
import { ellipse, points, rectangle } from "../outline.ts";
import { seeded } from "../random.ts";
import { ridge, swell } from "../ridge.ts";
import { paintCloud, paintSky, paintSun } from "../sky.ts";
import { blur, openStill, paint, type Scene, type Shot, type Still } from "../still.ts";

/** The scene, for `plan.ts`. */
export const theFront: Scene = { slug: "thefront", draw };

function draw(shot: Shot): Still {
  const { width: w, height: h } = shot;
  const u = h / 862;
  const still = openStill(shot, { x: w * 0.37, y: h * 0.55, radius: h * 0.06 });
  paintSky(
    still,
    [
      [0, "#140a0a"],
      [0.3, "#3d1917"],
      [0.58, "#8a3822"],
      [0.82, "#c95a22"],
      [1, "#e87a20"],
    ],
    h * 0.7,
    1,
  );
  paintCloud(still, {
    seed: 81,
    top: 0,
    bottom: h * 0.66,
    colour: "#8e5f58",
    opacity: 0.36,
    cover: 0.56,
    stretch: 3.4,
    grain: 0.0022,
  });
  paintCloud(still, {
    seed: 15,
    top: h * 0.36,
    bottom: h * 0.7,
    colour: "#ff8d3c",
    opacity: 0.4,
    cover: 0.36,
    stretch: 9,
  });
  paintSun(still);
  const hill = (x: number) => h * (0.36 * swell(x, w * 0.79, w * 0.52) + 0.05 * swell(x, w * 0.2, w * 0.2));
  const main = ridge(shot, { seed: 31, y: h * 0.8, rise: h * 0.018, stretch: w * 0.1, roughness: 0.55, lift: hill });
  const lamp = main.at(w * 0.735) + 6 - 8.35 * 29 * u;
  paintSearchlight(still, w * 0.735 - 10 * u, lamp, -2.5, h * 1.1, 0.55);
  paintSearchlight(still, w * 0.955, h * 0.44, -1.85, h * 0.8, 0.2);

  const far = ridge(shot, {
    seed: 12,
    y: h * 0.66,
    rise: h * 0.03,
    stretch: w * 0.14,
    roughness: 0.55,
    lift: (x) => h * 0.12 * swell(x, w * 0.62, w * 0.5),
  });
  paintLayer(still, [far.outline, ...ruins(w, far.at, u)], {
    tone: "#6a382c",
    haze: "#a8562a",
    from: h * 0.5,
    to: h * 0.74,
    bleed: 0.5,
    rim: 0.3,
    rimWidth: 1.6,
  });
  paintSmoke(still, w * 0.42, h * 0.6, 0.55 * u, 3, "#3a2620", 0.6);
  paintFog(still, { seed: 2, y: h * 0.68, height: h * 0.18, colour: "#b0775a", opacity: 0.5, warm: 0.6 });
  paintSmoke(still, w * 0.93, h * 0.5, 0.95 * u, 8, "#1b1311", 0.75);

  const works = [
    ...wall(w, main.at, u),
    ...watchtower(w * 0.735, main.at(w * 0.735) + 6, 29 * u),
    ...turret(w * 0.565, main.at(w * 0.565) - 34 * u, 25 * u, -16),
    ...turret(w * 0.9, main.at(w * 0.9) - 34 * u, 24 * u, -20),
    ...bunker(w * 0.41, main.at(w * 0.41) + 8 * u, 22 * u),
    ...radar(w * 0.645, main.at(w * 0.645) - 20 * u, 13 * u),
  ];
  paintLayer(still, [main.outline, ...works], {
    tone: "#170b0a",
    haze: "#5e2f1c",
    from: h * 0.42,
    to: h * 0.84,
    thick: 0.8,
    bleed: 0.24,
    rim: 1,
    rimWidth: 2.8 * u,
    reach: h * 1.1,
  });
  paintSlits(still, main.at, u);
  paintFog(still, { seed: 20, y: h * 0.84, height: h * 0.18, colour: "#8a5a44", opacity: 0.5, torn: 0.75, warm: 0.5 });

  // The lower line of works, nearer and darker, with its own guns.
  const lower = ridge(shot, {
    seed: 38,
    y: h * 0.93,
    rise: h * 0.014,
    stretch: w * 0.09,
    roughness: 0.55,
    lift: (x) => h * (0.2 * swell(x, w * 1.0, w * 0.46) + 0.03 * swell(x, w * 0.1, w * 0.3)),
  });
  const outworks = [
    ...wall(w, lower.at, u * 1.25, 0.66),
    ...turret(w * 0.8, lower.at(w * 0.8) - 46 * u, 33 * u, -12),
    ...bunker(w * 0.555, lower.at(w * 0.555) + 10 * u, 25 * u),
  ];
  paintLayer(still, [lower.outline, ...outworks], {
    tone: "#120a09",
    haze: "#2c1813",
    from: h * 0.66,
    to: h * 0.98,
    bleed: 0.16,
    rim: 1,
    rimWidth: 3 * u,
    reach: h * 1.1,
  });
  paintFog(still, { seed: 26, y: h * 0.92, height: h * 0.14, colour: "#6c4030", opacity: 0.42, torn: 0.8, warm: 0.4 });

  const near = ridge(shot, {
    seed: 47,
    y: h * 0.955,
    rise: h * 0.016,
    stretch: w * 0.08,
    roughness: 0.55,
    lift: (x) => h * 0.05 * swell(x, w * 0.08, w * 0.3),
  });
  const traps = points(".09,46 .24,34 .37,42 .55,36 .72,48 .93,40").flatMap(([fx, size]) =>
    hedgehog(w * fx, near.at(w * fx) + 6 * u, size * u),
  );
  paintLayer(still, [near.outline, ...traps], {
    tone: "#070505",
    rim: 0.9,
    rimWidth: 2.6 * u,
    reach: w * 0.6,
    bleed: 0.08,
  });
  paintWire(still, near.at, u);
  paintEmbers(still, u);
  return still;
}

function paintWire(still: Still, at: (x: number) => number, u: number): void {
  let coils = "";
  for (let x = 0; x < still.width; x += 15 * u)
    coils += `<ellipse cx="${x.toFixed(1)}" cy="${(at(x) - 9 * u).toFixed(1)}" rx="${13 * u}" ry="${17 * u}"/>`;
  paint(still, `<g fill="none" stroke="#070505" stroke-width="${1.3 * u}" opacity=".85">${coils}</g>`);
}

function paintSlits(still: Still, at: (x: number) => number, u: number): void {
  const { width: w } = still;
  const panes = [
    rectangle(w * 0.41 - 30 * u, at(w * 0.41) - 22 * u, 24 * u, 4 * u),
    rectangle(w * 0.41 + 12 * u, at(w * 0.41) - 22 * u, 24 * u, 4 * u),
    rectangle(w * 0.66, at(w * 0.66) - 22 * u, 7 * u, 7 * u),
    rectangle(w * 0.8, at(w * 0.8) - 22 * u, 7 * u, 7 * u),
  ].join("");
  paint(still, `<path d="${panes}" fill="#ff8000" filter="${blur(still, 7 * u)}"/><path d="${panes}" fill="#ffc27a"/>`);
}

function paintEmbers(still: Still, u: number): void {
  const chance = seeded(77);
  let svg = "";
  for (let i = 0; i < 80; i++)
    svg += `<path d="${ellipse(chance() * still.width, still.height * (0.2 + chance() * 0.75), (0.7 + chance() ** 3 * 1.8) * u)}" opacity="${(0.25 + chance() * 0.65).toFixed(2)}"/>`;
  paint(still, `<g fill="#ff9a3c">${svg}</g>`);
}
