// Minecraft: terraces of blocks under square clouds and a square sun, block trees, a hut with a lit window.
import { paintFog } from "../fog.ts";
import { paintLayer } from "../layer.ts";
import { type Point, polygon, rectangle } from "../outline.ts";
import { fractalNoise, seeded } from "../random.ts";
import { swell } from "../ridge.ts";
import { paintShafts, paintSky, paintStars } from "../sky.ts";
import { define, openStill, paint, type Scene, type Shot, type Still, vertical } from "../still.ts";

export const minecraft: Scene = { slug: "minecraft", draw };

function draw(shot: Shot): Still {
  const { width: w, height: h } = shot;
  const still = openStill(shot, { x: w * 0.405, y: h * 0.485, radius: h * 0.06 });
  paintSky(
    still,
    [
      [0, "#0a1220"],
      [0.35, "#1d3450"],
      [0.65, "#4b5a6c"],
      [0.86, "#a2704c"],
      [1, "#d98536"],
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
    tone: "#4e6076",
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
        0.13 * swell(px, w * 0.42, w * 0.24)),
  });
  paintLayer(still, [middle.outline, ...middle.trees(11, 5, 5)], {
    tone: "#1d2f2f",
    haze: "#40443f",
    from: h * 0.4,
    to: h * 0.86,
    bleed: 0.3,
    rim: 0.7,
    rimWidth: 2.4,
  });
  paintFaces(still, middle, 26, "#7f8f86", 0.12);
  paintHut(still, middle, 26);
  paintFog(still, { seed: 12, y: h * 0.83, height: h * 0.13, colour: "#8f8c86", opacity: 0.42, torn: 0.8, warm: 0.5 });

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

type Terrain = {
  outline: string;
  at: (x: number) => number;
  block: number;
  trees: (size: number, seed: number, every: number) => string[];
};

/** A skyline in steps of whole blocks. */
function terrain(
  still: Still,
  form: { seed: number; block: number; y: number; rise: number; stretch: number; lift: (x: number) => number },
): Terrain {
  const { block } = form;
  const noise = fractalNoise(form.seed, 4, 0.5);
  const at = (px: number) => {
    const x = (Math.floor(px / block) + 0.5) * block;
    return Math.round((form.y - form.lift(x) - noise(x / form.stretch) * form.rise) / block) * block;
  };
  const points: Point[] = [[-block, still.height + 5]];
  for (let x = -block; x < still.width + block; x += block) points.push([x, at(x)], [x + block, at(x)]);
  points.push([still.width + block, still.height + 5]);
  const trees = (_size: number, seed: number, every: number) => {
    if (every === 0) return [];
    const chance = seeded(seed);
    const out: string[] = [];
    for (let x = 0; x < still.width; x += block * (3 + Math.floor(chance() * 5 * every))) {
      if (at(x) > form.y + block) continue;
      out.push(...blockTree(Math.floor(x / block) * block, at(x), block, 2 + Math.floor(chance() * 2)));
    }
    return out;
  };
  return { outline: polygon(points), at, block, trees };
}

function blockTree(x: number, y: number, b: number, stem: number): string[] {
  return [
    rectangle(x, y - stem * b - 1, b, stem * b + 2),
    rectangle(x - 2 * b, y - (stem + 2) * b, 5 * b, 2 * b),
    rectangle(x - b, y - (stem + 3.5) * b, 3 * b, 1.6 * b),
  ];
}

function bigTree(px: number, y: number, b: number): string[] {
  const x = Math.floor(px / b) * b;
  return [
    rectangle(x, y - 5 * b, b, 5 * b + 2),
    rectangle(x - 2 * b, y - 6 * b, 5 * b, 2 * b),
    rectangle(x - 3 * b, y - 5 * b, 2 * b, b),
    rectangle(x + 2 * b, y - 6 * b, 2 * b, b),
    rectangle(x - b, y - 7 * b, 3 * b, b),
    rectangle(x + b, y - 4 * b, b, b * 0.5),
  ];
}

/** Single blocks a shade lighter or darker, so that a hillside reads as built of cubes. */
function paintFaces(still: Still, land: Terrain, b: number, tint: string, strength: number): void {
  const chance = seeded(b);
  let lit = "";
  let dark = "";
  let tops = "";
  for (let x = 0; x < still.width; x += b) {
    const top = land.at(x);
    tops += rectangle(x, top, b - 1, b * 0.24);
    for (let y = top; y < still.height; y += b) {
      const roll = chance();
      if (roll < 0.16) lit += rectangle(x, y, b - 1, b - 1);
      else if (roll < 0.36) dark += rectangle(x, y, b - 1, b - 1);
    }
  }
  const { x, y } = still.sun;
  const warm = define(
    still,
    (id) =>
      `<radialGradient id="${id}" gradientUnits="userSpaceOnUse" cx="${x}" cy="${y}" r="${still.width * 0.55}"><stop offset="0" stop-color="#ffa654" stop-opacity=".75"/><stop offset=".5" stop-color="#a5713f" stop-opacity=".4"/><stop offset="1" stop-color="#5d7a6a" stop-opacity=".18"/></radialGradient>`,
  );
  paint(
    still,
    `<path d="${lit}" fill="${tint}" opacity="${strength}"/><path d="${dark}" fill="#000306" opacity="${strength * 1.6}"/><path d="${tops}" fill="${warm}"/>`,
  );
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
