// Wastelands: pylons that lean over a dead road, cooling towers, the wreck of something that flew.
import { racer } from "../cast/cars.ts";
import { person } from "../cast/people.ts";
import { paintSmoke } from "../cast/smoke-and-searchlight.ts";
import { ellipse, limb, type Point, polygon, rectangle, shape } from "../outline.ts";
import { swell } from "../ridge.ts";
import {
  between,
  hills,
  paintBirds,
  paintDepth,
  paintMist,
  paintMotes,
  paintPanes,
  type Stage,
  type View,
} from "../stage.ts";
import { paint, vertical } from "../still.ts";
import { branches } from "../trees.ts";

const W = 1380;

export const WASTELAND: readonly View[] = [
  { name: "pylons", light: { x: 920, y: 540, radius: 64 }, paint: pylons },
  { name: "towers", light: { x: 390, y: 520, radius: 36 }, paint: towers },
  { name: "wreck", light: { x: 960, y: 500, radius: 46 }, paint: wreck },
];

/** A pylon, `s` pixels high, leaning by `lean` of its height; where its wires hang. */
function pylon(x: number, y: number, s: number, lean: number): { shapes: string[]; arms: Point[] } {
  const p = (a: number, b: number): Point => [x + (a + b * lean) * s, y - b * s];
  const bar = (a: Point, b: Point, w: number) =>
    limb(
      [
        [...a, w * s],
        [...b, w * s],
      ],
      1,
    );
  const half = (b: number) => (b < 0.6 ? 0.16 - b * 0.19 : 0.046 - (b - 0.6) * 0.07);
  const shapes: string[] = [];
  const levels = [0, 0.14, 0.27, 0.38, 0.48, 0.58, 0.66, 0.74, 0.82, 0.9, 1];
  levels.slice(1).forEach((b, i) => {
    const a = levels[i] ?? 0;
    shapes.push(
      bar(p(-half(a), a), p(-half(b), b), 0.017),
      bar(p(half(a), a), p(half(b), b), 0.017),
      bar(p(-half(a), a), p(half(b), b), 0.009),
      bar(p(half(a), a), p(-half(b), b), 0.009),
      bar(p(-half(b), b), p(half(b), b), 0.009),
    );
  });
  const arms: Point[] = [];
  for (const [b, reach] of [
    [0.66, 0.26],
    [0.79, 0.2],
    [0.91, 0.14],
  ] as const)
    for (const side of [-1, 1]) {
      shapes.push(
        bar(p(0, b + 0.02), p(side * reach, b), 0.013),
        bar(p(0, b - 0.025), p(side * reach, b), 0.01),
        bar(p(side * reach, b), p(side * reach, b - 0.045), 0.014),
      );
      arms.push(p(side * reach, b - 0.045));
    }
  return { shapes, arms };
}

function wires(stage: Stage, from: readonly Point[], to: readonly Point[], sag: number, width: number): void {
  const d = from.map(([x, y], i) => {
    const [a, b] = to[i] ?? [x, y];
    return `M${x.toFixed(1)},${y.toFixed(1)}Q${((x + a) / 2).toFixed(1)},${((y + b) / 2 + sag).toFixed(1)} ${a.toFixed(1)},${b.toFixed(1)}`;
  });
  paint(
    stage.still,
    `<path d="${d.join("")}" fill="none" stroke="${stage.air.tone(0.85)}" stroke-width="${width}" opacity=".85"/>`,
  );
}

function pylons(stage: Stage): void {
  const { still, air, chance } = stage;
  const far = hills(stage, 1, {
    y: 612,
    rise: 18,
    stretch: 160,
    roughness: 0.56,
    lift: (x) => 50 * swell(x, 180, 320),
  });
  const town = Array.from({ length: 16 }, (_, i) =>
    rectangle(90 + i * 26, far.at(90 + i * 26) - 18 - chance() * 50, 18, 90),
  );
  paintDepth(stage, [far.outline, ...town], 0.05, { from: 490, to: 640 });
  paintMist(stage, 616, 130, 0.1);
  const plain = hills(stage, 2, { y: 690, rise: 8, stretch: 220 });
  paintDepth(stage, [plain.outline], 0.34, { from: 590, to: 740 });
  const row = [
    [905, 640, 110, 0.02],
    [850, 664, 190, -0.04],
    [730, 700, 320, 0.1],
    [440, 770, 620, -0.12],
  ] as const;
  const stood = row.map(([x, y, s, lean]) => pylon(x, y, s, lean));
  for (let i = 0; i + 1 < stood.length; i++)
    wires(stage, stood[i]?.arms ?? [], stood[i + 1]?.arms ?? [], 16 + i * 22, 0.8 + i * 0.6);
  const last = stood.at(-1);
  if (last)
    wires(
      stage,
      last.arms.slice(2),
      last.arms.slice(2).map(([x, y]): Point => [x - 640, y + 160]),
      150,
      2.4,
    );
  stood.forEach(({ shapes }, i) => {
    paintDepth(stage, shapes, 0.2 + i * 0.2, { from: 200, to: 800, rim: 1 });
    if (i < 3) paintMist(stage, (row[i]?.[1] ?? 640) + 10, 80 + i * 16, 0.3 + i * 0.1);
  });
  const ground = hills(stage, 4, { y: 806, rise: 10, stretch: 130, roughness: 0.55 });
  paintDepth(
    stage,
    [
      ground.outline,
      ...racer(1040, ground.at(1040) + 10, 110),
      shape("-.3,.1 -.2,-.5 .2,-.62 .5,.1", 1130, ground.at(1130), 60),
      ...branches(1250, ground.at(1250) + 8, -1.6, 130, 24, 5, chance, 0.5),
      ...person(720, ground.at(720) + 4, 104, 1, "rifle"),
    ],
    0.88,
    { from: 600, to: 862, rim: 1 },
  );
  const near = hills(stage, 5, { y: 868, rise: 14, stretch: 80, roughness: 0.6, lift: (x) => 40 * swell(x, 100, 300) });
  paintDepth(
    stage,
    [
      near.outline,
      ...Array.from({ length: 80 }, (_, i) =>
        ellipse(i * 17.6, near.at(i * 17.6), 1.6, between(stage, 10, 34), between(stage, -24, 24)),
      ),
    ],
    1,
  );
  paintMotes(stage, "#ffb35c", 90);
  paint(
    still,
    `<rect width="${W}" height="140" fill="${vertical(still, 0, 140, [
      [0, air.tone(1), 0.4],
      [1, air.tone(1), 0],
    ])}"/>`,
  );
}

function towers(stage: Stage): void {
  const { still, seed, air, chance } = stage;
  const far = hills(stage, 1, { y: 616, rise: 16, stretch: 180 });
  paintDepth(stage, [far.outline], 0.04, { from: 520, to: 640 });
  paintMist(stage, 616, 120, 0.1);
  const cooling = (x: number, y: number, s: number) => {
    const side = Array.from({ length: 20 }, (_, i): Point => {
      const t = i / 19;
      return [0.36 + 0.24 * (1 - t) ** 1.9 - 0.06 * Math.sin(t * Math.PI) + t * t * 0.03, t];
    });
    return [
      polygon([
        ...side.map(([a, t]): Point => [x + a * s, y - t * s]),
        ...[...side].reverse().map(([a, t]): Point => [x - a * s, y - t * s]),
      ]),
      ellipse(x, y - s, 0.39 * s, 0.03 * s),
    ];
  };
  for (const [i, [x, y, s]] of (
    [
      [590, 660, 190],
      [790, 676, 300],
      [1090, 700, 450],
    ] as const
  ).entries()) {
    if (i !== 1) paintSmoke(still, x, y - s * 0.97, 0.6 + i * 0.25, (seed + i) % 83, air.fog(0.25), 0.7);
    paintDepth(stage, cooling(x, y, s), 0.16 + i * 0.18, { from: y - s, to: y + 20, rim: 0.9 });
    paint(still, `<path d="${ellipse(x, y - s, 0.36 * s, 0.024 * s)}" fill="${air.tone(0.9)}" opacity=".6"/>`);
    paintMist(stage, y - 6, 120, 0.2 + i * 0.15);
  }
  const yard = hills(stage, 3, { y: 752, rise: 8, stretch: 120, roughness: 0.55 });
  const sheds = [240, 350, 470, 900, 1260].flatMap((x, i) => [
    rectangle(x, yard.at(x) - 44 - (i % 3) * 26, 80, 120),
    polygon([
      [x - 6, yard.at(x) - 42 - (i % 3) * 26],
      [x + 30, yard.at(x) - 72 - (i % 3) * 26],
      [x + 86, yard.at(x) - 42 - (i % 3) * 26],
    ]),
  ]);
  const stack = pylon(130, yard.at(130) + 6, 330, 0.04);
  paintDepth(stage, [yard.outline, ...sheds, ...stack.shapes], 0.66, { from: 480, to: 800, rim: 1 });
  wires(
    stage,
    stack.arms,
    stack.arms.map(([x, y]): Point => [x + 300, y + 150]),
    90,
    1.4,
  );
  paintPanes(stage, [
    [1200, 300, 6],
    [980, 300, 6],
    [270, yard.at(270) - 24, 9],
    [940, yard.at(940) - 60, 9],
  ]);
  paintMist(stage, 784, 90, 0.65);
  const near = hills(stage, 5, {
    y: 846,
    rise: 12,
    stretch: 100,
    roughness: 0.58,
    lift: (x) => 30 * swell(x, 300, 300),
  });
  const sign = [rectangle(520, near.at(520) - 150, 8, 160), shape("0,-1 1,.7 -1,.7", 524, near.at(520) - 160, 52)];
  paintDepth(
    stage,
    [
      near.outline,
      ...branches(1230, near.at(1230) + 10, -1.7, 220, 46, 6, chance, 0.5),
      ...branches(60, near.at(60) + 10, -1.4, 200, 40, 6, chance, 0.55),
      ...sign,
      ...person(330, near.at(330) + 4, 116, 1, "rifle"),
      ...person(390, near.at(390) + 4, 108, 1),
    ],
    1,
  );
  paintBirds(stage, 560, 300, 11, 8);
  paintMotes(stage, "#d9c9a8", 80);
}

function wreck(stage: Stage): void {
  const { still, seed, air, chance } = stage;
  const far = hills(stage, 1, {
    y: 606,
    rise: 40,
    stretch: 140,
    roughness: 0.58,
    lift: (x) => 90 * swell(x, 1320, 300) + 60 * swell(x, 60, 300),
  });
  paintDepth(stage, [far.outline], 0.05, { from: 470, to: 640 });
  paintMist(stage, 612, 140, 0.1);
  const plain = hills(stage, 2, { y: 700, rise: 12, stretch: 160 });
  paintSmoke(still, 330, 560, 0.8, seed % 71, air.tone(0.4), 0.75);
  // A hull as long as a street, nose in the ground, its ribs bare.
  const x = 560 + between(stage, -30, 30);
  const at = (text: string) => shape(text, x, 720, 100);
  const hull = [
    at("-4.6,.5 -4.4,-.9 -3.6,-1.9 -2.2,-2.6 -.6,-2.9 .2,-2.7 .5,-1.9 .2,.5"),
    at("1.5,.5 1.9,-1.6 2.6,-2.5 3.8,-3.0 5.0,-3.9 5.3,-3.7 5.4,-2.4 5.0,-1.2 4.4,.5"),
    at("4.4,-3.2 4.9,-5.6 5.7,-6.0 5.5,-3.2"),
    at("4.9,-2.2 6.6,-2.9 7.0,-2.5 5.2,-1.5"),
    at("-2.2,-2.2 -1.4,-3.9 -.7,-4.1 -.8,-2.6"),
    at("-3.0,-.2 -5.9,.9 -5.0,1.0 -2.2,.5"),
  ];
  const ribs = [0.35, 0.62, 0.9, 1.18, 1.5].map((k, i) =>
    limb(
      [
        [x + k * 100, 780, 11],
        [x + k * 100 - 14, 600, 10],
        [x + (k + 0.1) * 100, 500 + i * 18, 8],
        [x + (k + 0.4) * 100, 452 + i * 22, 4],
      ],
      5,
    ),
  );
  const beams = [
    limb(
      [
        [x + 10, 560, 6],
        [x + 190, 590, 5],
      ],
      1,
    ),
    limb(
      [
        [x + 10, 650, 6],
        [x + 170, 664, 5],
      ],
      1,
    ),
  ];
  paintDepth(stage, [plain.outline, ...hull, ...ribs, ...beams], 0.52, { from: 260, to: 770, rim: 1 });
  const ports = Array.from({ length: 13 }, (_, i) => ellipse(x - 390 + i * 33, 590 - Math.sin(i / 7) * 40, 6, 8));
  paint(
    still,
    `<path d="${ports.join("")}" fill="${air.tone(1)}" opacity=".7"/><path d="${at("-4.3,-.6 .1,-2.0 .12,-1.9 -4.3,-.45")}${at("2.2,-1.6 5.2,-2.9 5.2,-2.78 2.2,-1.46")}" fill="${air.tone(1)}" opacity=".45"/>`,
  );
  paintPanes(stage, [
    [x + 60, 690, 16],
    [x + 240, 676, 9],
    [x - 160, 690, 8],
  ]);
  paintMist(stage, 752, 110, 0.5);
  const near = hills(stage, 4, {
    y: 832,
    rise: 12,
    stretch: 110,
    roughness: 0.58,
    lift: (px) => 30 * swell(px, 1180, 360),
  });
  const debris = Array.from({ length: 16 }, (_, i) => {
    const px = 60 + i * 84 + chance() * 30;
    return shape("-.5,.3 -.6,-.2 -.1,-.6 .3,-.2 .7,.3", px, near.at(px), 14 + chance() * 30);
  });
  paintDepth(
    stage,
    [
      near.outline,
      ...debris,
      ...person(1060, near.at(1060) + 4, 112, -1, "cloak"),
      ...person(1136, near.at(1136) + 4, 104, -1, "rifle"),
      ...branches(160, near.at(160) + 8, -1.5, 170, 34, 6, chance, 0.5),
    ],
    0.98,
    { rim: 1 },
  );
  paintBirds(stage, 760, 220, 8, 9);
  paintMotes(stage, "#ff9a3c", 80);
}
