// Minecraft: terraces of blocks under square clouds and a square sun, block trees, a hut with a lit window.
import { bigTree, paintFaces, type Terrain, terrain } from "../cast/blocks.ts";
import { paintFog } from "../fog.ts";
import { paintLayer } from "../layer.ts";
import { rectangle } from "../outline.ts";
import { seeded } from "../random.ts";
import { swell } from "../ridge.ts";
import { paintShafts, paintSky, paintStars } from "../sky.ts";
import { define, openStill, paint, type Scene, type Shot, type Still, vertical } from "../still.ts";

/** The scene, for `plan.ts`. */
export const minecraft: Scene = { slug: "minecraft", draw };

function draw(shot: Shot): Still {
  const { width: w, height: h } = shot;
  const still = openStill(shot, { x: w * 0.405, y: h * 0.455, radius: h * 0.06 });
  paintSky(
    still,
    [
      [0, "#081420"],
      [0.35, "#15425c"],
      [0.65, "#4a7480"],
      [0.86, "#a67a50"],
      [1, "#dc8838"],
    ],
    h * 0.66,
    0.95,
  );
  paintStars(still, 13, 60, h * 0.3);
  paintBlockClouds(still);
  paintShafts(still, [-165, -140, -112, -68, -40, -15], h * 0.8, 0.13);
  const { x, y, radius } = still.sun;
  paint(
    still,
    `<rect x="${x - radius}" y="${y - radius}" width="${radius * 2}" height="${radius * 2}" fill="#ffb65a"/><rect x="${x - radius * 0.76}" y="${y - radius * 0.76}" width="${radius * 1.52}" height="${radius * 1.52}" fill="#ffe2b0"/>`,
  );

  const far = terrain(still, {
    seed: 3,
    block: 13,
    y: h * 0.6,
    rise: h * 0.06,
    stretch: 240,
    lift: (px) => h * (0.22 * swell(px, w * 0.78, w * 0.24) + 0.1 * swell(px, w * 0.12, w * 0.22) - 0.02),
  });
  paintLayer(still, [far.outline, ...far.trees(6, 3, 1)], {
    tone: "#48687a",
    haze: "#c08450",
    from: h * 0.36,
    to: h * 0.68,
    bleed: 0.5,
    rim: 0.25,
    rimWidth: 1.6,
  });
  paintFog(still, { seed: 4, y: h * 0.64, height: h * 0.15, colour: "#b3978a", opacity: 0.5, warm: 0.6 });

  const water = vertical(still, h * 0.66, h * 0.9, [
    [0, "#c97b34"],
    [0.25, "#5c5a58"],
    [1, "#0d1a2a"],
  ]);
  paint(still, `<rect y="${h * 0.665}" width="${w}" height="${h * 0.34}" fill="${water}"/>`);
  const chance = seeded(9);
  let glints = "";
  for (let i = 0; i < 130; i++) {
    const t = chance();
    const gy = Math.round((h * 0.668 + t * h * 0.2) / 6) * 6;
    const gx = Math.round((x + (chance() + chance() - 1) * (radius * 1.1 + t * w * 0.09)) / 12) * 12;
    glints += `<path d="${rectangle(gx, gy, 12 * (1 + Math.floor(chance() * 4)), 5)}" opacity="${(0.25 + chance() * 0.6 * (1 - t * 0.5)).toFixed(2)}"/>`;
  }
  paint(still, `<g fill="#ffa24a">${glints}</g>`);

  const middle = terrain(still, {
    seed: 22,
    block: 26,
    y: h * 0.76,
    rise: h * 0.05,
    stretch: 330,
    lift: (px) =>
      h *
      (0.33 * swell(px, w * 0.96, w * 0.34) +
        0.2 * swell(px, w * 0.03, w * 0.28) -
        0.1 * swell(px, w * 0.42, w * 0.24)),
  });
  paintLayer(still, [middle.outline, ...middle.trees(11, 5, 5)], {
    tone: "#142420",
    haze: "#1c2622",
    from: h * 0.4,
    to: h * 0.86,
    bleed: 0.3,
    rim: 0.7,
    rimWidth: 2.4,
  });
  paintFaces(still, middle, 26, "#7fa394", 0.1);
  paintHut(still, middle, 26);
  paintFog(still, { seed: 12, y: h * 0.83, height: h * 0.13, colour: "#6f7d78", opacity: 0.42, torn: 0.8, warm: 0.5 });

  const near = terrain(still, {
    seed: 40,
    block: 52,
    y: h * 0.985,
    rise: h * 0.05,
    stretch: 420,
    lift: (px) =>
      h *
      (0.26 * swell(px, -w * 0.02, w * 0.3) +
        0.13 * swell(px, w * 1.02, w * 0.3) -
        0.05 * swell(px, w * 0.5, w * 0.25)),
  });
  paintLayer(still, [near.outline, ...bigTree(w * 0.115, near.at(w * 0.115), 52), ...near.trees(52, 9, 0)], {
    tone: "#070b0d",
    rim: 0.8,
    rimWidth: 3.4,
    reach: w * 0.55,
    bleed: 0.07,
  });
  paintFaces(still, near, 52, "#5d7076", 0.07);
  return still;
}

function paintHut(still: Still, land: Terrain, b: number): void {
  const x = Math.floor((still.width * 0.725) / b) * b;
  const y = land.at(x + 2 * b);
  const walls = [
    rectangle(x, y - 3 * b, 5 * b, 3 * b + b),
    rectangle(x - b, y - 4 * b, 7 * b, b),
    rectangle(x, y - 5 * b, 5 * b, b),
    rectangle(x + b, y - 6 * b, 3 * b, b),
  ];
  paintLayer(still, walls, { tone: "#101a1d", rim: 0.8, rimWidth: 3, bleed: 0.15 });
  const pane = (px: number, py: number) => rectangle(px, py, b, b);
  const panes = pane(x + b, y - 2 * b) + pane(x + 3 * b, y - 2 * b);
  const soft = define(
    still,
    (id) =>
      `<filter id="${id}" x="-200%" y="-200%" width="500%" height="500%"><feGaussianBlur stdDeviation="16"/></filter>`,
  );
  paint(
    still,
    `<path d="${panes}" fill="#ff8000" filter="${soft}"/><path d="${panes}" fill="#ffc878"/><path d="${rectangle(x + 1.45 * b, y - 2 * b, b * 0.1, b)}${rectangle(x + 3.45 * b, y - 2 * b, b * 0.1, b)}" fill="#3a1d08"/>`,
  );
}

function paintBlockClouds(still: Still): void {
  const { width: w, height: h } = still;
  const chance = seeded(34);
  const b = 30;
  for (const [cx, cy, long, shade] of [
    [0.66, 0.15, 13, 0.34],
    [0.16, 0.24, 9, 0.3],
    [0.9, 0.31, 8, 0.32],
    [0.42, 0.08, 8, 0.22],
    [0.57, 0.34, 6, 0.34],
  ] as const) {
    const x = Math.round((cx * w - (long * b) / 2) / b) * b;
    const y = Math.round((cy * h) / b) * b;
    const d: string[] = [rectangle(x, y, long * b, b)];
    for (let i = 0; i < long - 2; i++) if (chance() < 0.62) d.push(rectangle(x + (1 + i) * b, y - b, b, b + 1));
    for (let i = 0; i < long - 3; i++) if (chance() < 0.34) d.push(rectangle(x + (2 + i) * b, y + b - 1, b, b * 0.5));
    paint(still, `<g opacity="${shade}">`);
    paintLayer(still, d, {
      tone: "#9fb0c4",
      haze: "#e0a070",
      from: y - b,
      to: y + b * 1.4,
      bleed: 0.8,
      reach: h * 0.7,
    });
    paint(still, "</g>");
  }
}
