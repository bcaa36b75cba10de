// ARK: a long-necked giant over jungle mist, an obelisk hanging in the sky, pterosaurs.
import { paintFog } from "../fog.ts";
import { paintLayer } from "../layer.ts";
import { ellipse, limb, type Point, placed, polygon } from "../outline.ts";
import { seeded } from "../random.ts";
import { ridge, swell } from "../ridge.ts";
import { paintCloud, paintShafts, paintSky, paintStars, paintSun } from "../sky.ts";
import { define, openStill, paint, type Scene, type Shot, type Still } from "../still.ts";
import { crown, frond, palm } from "../trees.ts";

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
    haze: "#414629",
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
  const palms = [
    [0.13, 170, 26],
    [0.24, 120, -20],
    [0.855, 180, -30],
    [0.78, 110, 14],
  ].flatMap(([px, tall, lean], i) =>
    palm(w * (px ?? 0), middle.at(w * (px ?? 0)) + 10, (tall ?? 0) * u, (lean ?? 0) * u, 60 + i),
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
  for (const [fx, fy, long] of [
    [-0.01, 0.86, 300],
    [0.09, 0.99, 210],
    [1.01, 0.88, 290],
    [0.91, 1.0, 220],
    [0.3, 1.04, 150],
    [0.7, 1.04, 150],
  ] as const) {
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

/** The giant, facing left; (x, y) is the ground under its belly, about 13 by 8 units of `s` pixels. */
function sauropod(x: number, y: number, s: number, dir = -1): string[] {
  const m = (list: readonly (readonly [number, number, number])[]) =>
    limb(
      list.map(([a, b, c]) => [x + a * s * dir, y + b * s, c * s] as const),
      12,
    );
  return [
    m([
      [-7.4, -1.2, 0.06],
      [-6.2, -1.15, 0.2],
      [-4.8, -1.7, 0.42],
      [-3.4, -2.35, 0.85],
      [-2.0, -2.75, 1.55],
      [-0.7, -2.85, 2.0],
      [0.7, -2.75, 1.95],
      [1.8, -3.05, 1.5],
      [2.6, -3.95, 0.95],
      [3.15, -5.15, 0.66],
      [3.6, -6.35, 0.52],
      [4.15, -7.25, 0.44],
      [4.75, -7.55, 0.42],
    ]),
    m([
      [4.45, -7.62, 0.4],
      [4.85, -7.62, 0.56],
      [5.3, -7.45, 0.42],
      [5.66, -7.32, 0.24],
    ]),
    m([
      [-1.5, -2.6, 1.3],
      [-1.75, -1.5, 0.95],
      [-1.62, -0.6, 0.6],
      [-1.68, 0.15, 0.66],
    ]),
    m([
      [-0.7, -2.4, 1.1],
      [-0.6, -1.3, 0.74],
      [-0.42, -0.5, 0.52],
      [-0.42, 0.0, 0.58],
    ]),
    m([
      [1.5, -2.6, 1.1],
      [1.62, -1.4, 0.8],
      [1.5, -0.6, 0.56],
      [1.52, 0.15, 0.62],
    ]),
    m([
      [0.85, -2.4, 0.9],
      [0.72, -1.3, 0.66],
      [0.95, -0.5, 0.48],
      [1.0, 0.0, 0.54],
    ]),
  ];
}

function herd(x: number, y: number, s: number): string[] {
  return [...sauropod(x, y, s, 1), ...sauropod(x + 9 * s, y + 4, s * 0.7, 1)];
}

/** An obelisk in the sky: a long faceted blade over its own light. */
function paintObelisk(still: Still, x: number, y: number, s: number): void {
  const at = (points: readonly Point[]) => polygon(placed(points, x, y, s));
  const beam = define(
    still,
    (id) =>
      `<linearGradient id="${id}" x1="0" x2="0" y1="0" y2="1"><stop offset="0" stop-color="#7dffb0" stop-opacity=".55"/><stop offset="1" stop-color="#7dffb0" stop-opacity="0"/></linearGradient>`,
  );
  const soft = define(
    still,
    (id) =>
      `<filter id="${id}" x="-300%" y="-20%" width="700%" height="140%"><feGaussianBlur stdDeviation="${s * 0.28}"/></filter>`,
  );
  paint(
    still,
    `<g style="mix-blend-mode:screen"><path d="${at([
      [-0.35, 4.6],
      [0.35, 4.6],
      [0.85, 15],
      [-0.85, 15],
    ])}" fill="${beam}" filter="${soft}"/></g>`,
  );
  const left = at([
    [0, -6.2],
    [-1.05, -3.6],
    [-1.25, 1.2],
    [-0.3, 4.8],
    [0, 4.2],
  ]);
  const right = at([
    [0, -6.2],
    [1.05, -3.6],
    [1.25, 1.2],
    [0.3, 4.8],
    [0, 4.2],
  ]);
  const wings = [
    at([
      [-1.7, -1.2],
      [-1.45, -2.8],
      [-1.4, 1.6],
      [-1.75, 2.6],
    ]),
    at([
      [1.7, -1.2],
      [1.45, -2.8],
      [1.4, 1.6],
      [1.75, 2.6],
    ]),
  ];
  paintLayer(still, [left, ...wings], {
    tone: "#17281d",
    haze: "#3d4a30",
    from: y - 6 * s,
    to: y + 5 * s,
    bleed: 0.12,
  });
  paintLayer(still, [right], {
    tone: "#223528",
    haze: "#7a6234",
    from: y - 6 * s,
    to: y + 5 * s,
    bleed: 0.45,
    rim: 0.8,
    rimWidth: 3,
    reach: still.height * 0.8,
  });
  paint(
    still,
    `<path d="${at([
      [-0.07, -4.6],
      [0.07, -4.6],
      [0.1, 3.6],
      [-0.1, 3.6],
    ])}" fill="#8dffbd" opacity=".85"/><path d="${at([
      [-0.16, -4.6],
      [0.16, -4.6],
      [0.2, 4],
      [-0.2, 4],
    ])}" fill="#4dff98" opacity=".6" filter="${soft}"/>`,
  );
}

function paintFlyers(still: Still, u: number): void {
  const { width: w, height: h } = still;
  for (const [fx, fy, size, turn] of [
    [0.74, 0.2, 25, -10],
    [0.835, 0.3, 13, -16],
    [0.66, 0.33, 9, -6],
  ] as const) {
    const [x, y, s] = [w * fx, h * fy, size * u];
    const a = (turn * Math.PI) / 180;
    const at = (points: readonly Point[]) =>
      polygon(
        points.map(
          ([px, py]): Point => [
            x + (px * Math.cos(a) - py * Math.sin(a)) * s,
            y + (px * Math.sin(a) + py * Math.cos(a)) * s,
          ],
        ),
      );
    const shapes = [
      at([
        [-0.3, 0],
        [-1.3, -1.25],
        [-2.0, -1.35],
        [-3.6, -0.3],
        [-2.0, -0.75],
        [-1.2, 0.05],
        [-0.5, 0.55],
        [0.1, 0.3],
      ]),
      at([
        [0.2, -0.05],
        [0.75, -1.35],
        [1.3, -1.6],
        [3.1, -1.15],
        [1.6, -0.95],
        [1.1, -0.1],
        [0.4, 0.4],
        [-0.1, 0.3],
      ]),
      at([
        [0.7, 0.25],
        [-0.8, 0.32],
        [-1.2, 0.75],
        [-0.7, 0.5],
        [0.1, 0.5],
        [-0.2, 0.85],
        [0.5, 0.45],
      ]),
      at([
        [-0.3, -0.08],
        [-0.85, -0.28],
        [-0.55, -0.6],
        [-1.0, -0.36],
        [-1.95, 0.12],
        [-0.9, 0.1],
        [-0.3, 0.3],
        [0.5, 0.3],
      ]),
    ];
    paintLayer(still, [...shapes, ellipse(x, y + 0.14 * s, s * 0.6, s * 0.22, turn)], {
      tone: size > 20 ? "#0d150e" : "#223022",
      rim: 0.7,
      rimWidth: 2.4 * u,
      bleed: 0.14,
      reach: h * 0.8,
    });
  }
}
