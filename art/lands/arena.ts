// Arenas: a coliseum on its hill, the sand within its walls, a hall of light under an open roof.
import { person } from "../cast/people.ts";
import { paintSearchlight } from "../cast/smoke-and-searchlight.ts";
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
import { blur, paint, round, vertical } from "../still.ts";

const W = 1380;
const H = 862;

export const ARENA: readonly View[] = [
  { name: "coliseum", light: { x: 330, y: 520, radius: 50 }, paint: coliseum },
  { name: "sand", light: { x: 690, y: 400, radius: 62 }, never: ["night"], paint: sand },
  { name: "rings", light: { x: 690, y: 520, radius: 40 }, paint: rings },
];

function coliseum(stage: Stage): void {
  const { still } = stage;
  const far = hills(stage, 1, { y: 610, rise: 30, stretch: 220, lift: (x) => 90 * swell(x, 60, 360) });
  paintDepth(stage, [far.outline], 0.05, { from: 480, to: 640 });
  paintMist(stage, 610, 140, 0.1);
  const [cx, foot, half] = [860 + between(stage, -30, 30), 720, 430];
  const tiers = 4;
  const arches: string[] = [];
  const lights: [number, number, number][] = [];
  const topAt = (x: number) => {
    const t = (x - cx) / half;
    // The outer wall is broken off on the left.
    const broken = t < -0.28 ? 1 + Math.floor(Math.max(0, (t + 1) * 3.4)) : tiers;
    return Math.min(tiers, broken);
  };
  const wall: string[] = [];
  const cols = 26;
  for (let i = 0; i < cols; i++) {
    const a0 = Math.PI * (i / cols);
    const a1 = Math.PI * ((i + 1) / cols);
    const [x0, x1] = [cx - Math.cos(a0) * half, cx - Math.cos(a1) * half];
    const dip = (a: number) => Math.sin(a) * 44;
    const n = topAt((x0 + x1) / 2);
    for (let k = 0; k < n; k++) {
      const y0 = foot + dip(a0) - k * 84;
      const y1 = foot + dip(a1) - k * 84;
      wall.push(
        polygon([
          [x0 - 0.6, y0 + 2],
          [x0 - 0.6, y0 - 84],
          [x1 + 0.6, y1 - 84],
          [x1 + 0.6, y1 + 2],
        ]),
      );
      const m = (x0 + x1) / 2;
      const w = (x1 - x0) * 0.29;
      const y = (y0 + y1) / 2;
      arches.push(
        k === 3
          ? rectangle(m - w * 0.6, y - 56, w * 1.2, 26)
          : `${rectangle(m - w, y - 46, w * 2, 44)}${ellipse(m, y - 46, w, w * 1.2)}`,
      );
      if (k < 3 && stage.chance() < 0.2) lights.push([m, y - 24, Math.max(4, w * 0.9)]);
    }
    wall.push(
      polygon([
        [x0 - 2, foot + dip(a0) - n * 84 + 3],
        [x0 - 2, foot + dip(a0) - n * 84 - 9],
        [x1 + 2, foot + dip(a1) - n * 84 - 9],
        [x1 + 2, foot + dip(a1) - n * 84 + 3],
      ]),
    );
  }
  // The far side of the wall, seen over the break.
  const back = Array.from({ length: 21 }, (_, i) => {
    const x = cx - half * 0.94 + i * 40;
    const y = foot - 190 - 40 * Math.abs((x - cx) / half);
    return `${rectangle(x, y, 41, 14)}${rectangle(x, y + 60, 41, 240)}${rectangle(x, y, 13, 80)}`;
  });
  paintDepth(stage, back, 0.34, { from: 420, to: 700 });
  const hill = hills(stage, 3, { y: 760, rise: 8, stretch: 180, lift: (x) => 40 * swell(x, cx, 620) });
  paintDepth(stage, wall, 0.6, { from: 360, to: 770, rim: 0.9 });
  paint(still, `<path d="${arches.join("")}" fill="${stage.air.tone(1)}" opacity=".72"/>`);
  paintPanes(stage, lights);
  const poles = [-0.1, 0.14, 0.38, 0.6, 0.8].flatMap((t) => {
    const x = cx + t * half;
    const y = foot + Math.sqrt(1 - t * t) * 44 - 4 * 84;
    return [rectangle(x, y - 96, 4, 100), shape("0,0 .5,.08 1,-.02 .96,.34 .5,.4 0,.34", x + 3, y - 94, 62)];
  });
  paintDepth(stage, [hill.outline, ...poles], 0.72, { from: 500, to: 820, rim: 1 });
  paintMist(stage, 784, 90, 0.65);
  const near = hills(stage, 4, { y: 852, rise: 10, stretch: 150, lift: (x) => 50 * swell(x, 150, 360) });
  const people = [210, 262, 330, 480, 540, 640].flatMap((x, i) =>
    person(x, near.at(x) + 4, 84 + (i % 3) * 8, 1, i % 3 === 0 ? "cloak" : i % 3 === 1 ? "staff" : "nothing"),
  );
  paintDepth(stage, [near.outline, ...people], 0.98, { rim: 1 });
  paintBirds(stage, 420, 250, 8);
}

function sand(stage: Stage): void {
  const { still, air, chance } = stage;
  const wallAt = (x: number, base: number) => base - 110 * ((x - 690) / 690) ** 2;
  const tier = (base: number, tall: number, depth: number) => {
    const shapes: string[] = [];
    for (let i = 0; i < 30; i++) {
      const [x0, x1] = [-20 + i * 48, -20 + (i + 1) * 48];
      shapes.push(
        polygon([
          [x0, H],
          [x0, wallAt(x0, base)],
          [x1, wallAt(x1, base)],
          [x1, H],
        ]),
        rectangle(x0 - 3, wallAt(x0, base) - tall * 0.16, 8, tall * 0.3),
      );
    }
    paintDepth(stage, shapes, depth, { from: base - 150, to: base + 110, rim: 0.9 });
  };
  const crowd = (base: number, depth: number, count: number, size: number) => {
    const heads = Array.from({ length: count }, (_, i) => {
      const x = (i / count) * (W + 30) - 15 + chance() * 8;
      const y = wallAt(x, base) - chance() * size * 1.4;
      return `${ellipse(x, y - size, size * 0.42)}${ellipse(x, y + size * 0.2, size * 0.72, size)}`;
    });
    paintDepth(stage, heads, depth, { from: base - 140, to: base + 40 });
  };
  tier(500, 60, 0.1);
  crowd(504, 0.14, 150, 8);
  paintMist(stage, 500, 120, 0.1);
  tier(556, 70, 0.24);
  crowd(560, 0.3, 110, 11);
  paintMist(stage, 560, 90, 0.25);
  tier(616, 80, 0.46);
  const arches = Array.from({ length: 15 }, (_, i) => 30 + i * 94).map(
    (x) => `${rectangle(x - 22, wallAt(x, 616) + 42, 44, 70)}${ellipse(x, wallAt(x, 616) + 42, 22, 24)}`,
  );
  paint(still, `<path d="${arches.join("")}" fill="${air.tone(1)}" opacity=".7"/>`);
  const flags = [110, 330, 550, 830, 1050, 1270].flatMap((x) => [
    rectangle(x, wallAt(x, 616) - 150, 5, 160),
    shape("0,0 .74,0 .74,1.2 .37,.98 0,1.2", x + 5, wallAt(x, 616) - 146, 66),
  ]);
  paintDepth(stage, flags, 0.56, { from: 300, to: 700, rim: 1 });
  const ground = vertical(still, 690, H, [
    [0, air.haze(0.2)],
    [0.35, air.haze(0.5)],
    [1, air.tone(0.95)],
  ]);
  paint(still, `<path d="M-20,620Q690,790 1400,620V880H-20Z" fill="${ground}"/>`);
  const light = round(
    still,
    690,
    740,
    420,
    [
      [0, "#ffb35c", 0.6],
      [0.5, "#ff8000", 0.18],
      [1, "#ff8000", 0],
    ],
    1.6,
  );
  paint(still, `<path d="M-20,620Q690,790 1400,620V880H-20Z" fill="${light}"/>`);
  paintMist(stage, 720, 90, 0.5);
  for (const x of [560, 838])
    paint(
      still,
      `<path d="${ellipse(x, 822, 90, 10)}" fill="#000000" opacity=".5" filter="${blur(still, 5, 5, { x: x - 120, y: 800, width: 240, height: 44 })}"/>`,
    );
  const one = [
    ...person(560, 822, 200, 1, "staff"),
    ellipse(600, 690, 38, 44),
    shape("-.06,-1.02 .06,-1.14 .02,-.98", 560, 822, 200),
  ];
  const two = [
    ...person(838, 822, 204, -1, "cloak"),
    limb(
      [
        [790, 700, 7],
        [720, 640, 3],
      ],
      1,
    ),
  ];
  paintDepth(stage, [...one, ...two], 0.95, { rim: 1 });
  paintMotes(stage, "#ffc27a", 120);
}

function rings(stage: Stage): void {
  const { still, air, chance } = stage;
  // A city of towers far below, and a platform between floating rings.
  const far = hills(stage, 1, { y: 640, rise: 30, stretch: 60, roughness: 0.6 });
  paintDepth(
    stage,
    [
      far.outline,
      ...Array.from({ length: 26 }, (_, i) =>
        shape("-.3,1 -.24,-1 0,-1.6 .24,-1 .3,1", i * 56 + chance() * 20, 650, 26 + chance() * 40),
      ),
    ],
    0.06,
    { from: 470, to: 680 },
  );
  paintMist(stage, 640, 190, 0.1);
  for (const [x, a] of [
    [210, -1.2],
    [1170, -1.94],
    [60, -1.0],
    [1320, -2.14],
  ] as const)
    paintSearchlight(still, x, 760, a, 820, 0.34);
  const hoop = (cy: number, rx: number, ry: number, thick: number, depth: number) => {
    const edge = (k: number, l: number) =>
      Array.from({ length: 72 }, (_, i) => {
        const a = (i / 72) * Math.PI * 2;
        return `${(690 + Math.cos(a) * rx * k).toFixed(1)},${(cy + Math.sin(a) * ry * l).toFixed(1)}`;
      });
    const d = `M${edge(1, 1).join("L")}ZM${edge(1 - thick, 1 - thick * 2.4)
      .reverse()
      .join("L")}Z`;
    const lit = round(still, still.sun.x, still.sun.y, 620, [
      [0, "#ffc27a", 0.85],
      [0.5, "#ff8000", 0.34],
      [1, "#b8480a", 0.1],
    ]);
    paint(
      still,
      `<path d="${d}" fill="${air.tone(depth)}" fill-rule="evenodd"/><path d="${d}" fill="${lit}" fill-rule="evenodd" opacity=".55"/>`,
    );
    paintPanes(
      stage,
      Array.from({ length: 28 }, (_, i): [number, number, number] => {
        const a = (i / 28) * Math.PI * 2;
        return [690 + Math.cos(a) * rx * (1 - thick / 2), cy + Math.sin(a) * ry * (1 - thick * 1.2), 4 + depth * 5];
      }),
    );
  };
  hoop(330, 330, 74, 0.08, 0.3);
  hoop(220, 470, 100, 0.07, 0.5);
  const at = (text: string) => shape(text, 690, 700, 100);
  paintMist(stage, 700, 120, 0.4);
  paintDepth(
    stage,
    [
      at("-4.2,0 4.2,0 3.4,.5 1.6,.8 .6,1.8 0,2.4 -.6,1.8 -1.6,.8 -3.4,.5"),
      rectangle(270, 690, 840, 14),
      ...[-3.9, -2.6, 2.6, 3.9].flatMap((k) => [
        at(`${k - 0.14},0 ${k - 0.1},-1.5 ${k},-1.8 ${k + 0.1},-1.5 ${k + 0.14},0`),
      ]),
    ],
    0.72,
    { from: 520, to: 900, rim: 1 },
  );
  paintPanes(
    stage,
    [-3.9, -2.6, 2.6, 3.9].map((k) => [690 + k * 100, 514, 15] as const),
  );
  const mark = round(
    still,
    690,
    690,
    300,
    [
      [0, "#ffb35c", 0.7],
      [1, "#ff8000", 0],
    ],
    1,
  );
  paint(still, `<path d="${ellipse(690, 692, 300, 12)}" fill="${mark}"/>`);
  const team = [470, 540, 596].flatMap((x, i) => person(x, 694, 110 - i * 4, 1, i === 0 ? "rifle" : "staff"));
  const other = [790, 850, 918].flatMap((x, i) => person(x, 694, 102 + i * 4, -1, i === 1 ? "rifle" : "cloak"));
  paintDepth(stage, [...team, ...other], 0.92, { rim: 1 });
  paintMist(stage, 800, 150, 0.7);
  const front = Array.from({ length: 44 }, (_, i): Point => [i * 33 - 20, 846 + (chance() - 0.5) * 20]);
  paintDepth(
    stage,
    [
      ...front.flatMap(([x, y]) => [ellipse(x, y - 22, 15), ellipse(x, y + 26, 28, 40)]),
      ...front
        .filter((_, i) => i % 5 === 2)
        .map(([x, y]) =>
          limb(
            [
              [x + 14, y + 10, 12],
              [x + 26, y - 50, 9],
              [x + 20, y - 84, 7],
            ],
            3,
          ),
        ),
    ],
    1,
  );
  paintMotes(stage, "#ffc27a", 110);
}
