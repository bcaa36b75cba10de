// Jungles: a stepped temple above the canopy, a fall of water under a rope bridge, a river between giants.
import { person } from "../cast/people.ts";
import { limb, type Point, polygon, rectangle, shape, smooth } from "../outline.ts";
import { swell } from "../ridge.ts";
import {
  between,
  hills,
  paintBirds,
  paintDepth,
  paintMist,
  paintMotes,
  paintPanes,
  paintWater,
  type Stage,
  type View,
} from "../stage.ts";
import { blur, paint, vertical } from "../still.ts";
import { crown, frond, palm } from "../trees.ts";

const W = 1380;

export const JUNGLE: readonly View[] = [
  { name: "temple", light: { x: 430, y: 490, radius: 44 }, paint: temple },
  { name: "falls", light: { x: 960, y: 380, radius: 34 }, paint: falls },
  { name: "river", light: { x: 690, y: 540, radius: 48 }, paint: river },
];

function canopy(stage: Stage, at: (x: number) => number, count: number, size: number, key: number): string[] {
  return Array.from({ length: count }, (_, i) => ((i + 0.5) * W) / count).flatMap((x, i) =>
    crown(x, at(x), size * (1 + (i % 3) * 0.2), size * (0.5 + ((i * 7) % 5) * 0.14), (stage.seed % 300) + key + i, 9),
  );
}

function ferns(stage: Stage, list: readonly (readonly [x: number, y: number, long: number])[]): string[] {
  const { chance } = stage;
  return list.flatMap(([x, y, long]) =>
    Array.from({ length: 9 }, (_, i) =>
      frond(
        x,
        y,
        long * (0.7 + chance() * 0.4),
        (i % 2 === 0 ? -(i / 8) * 1.15 : -Math.PI + (i / 8) * 1.15) + (chance() - 0.5) * 0.14,
        chance,
      ),
    ).flat(),
  );
}

const CORNERS = [
  [-10, 760, 300],
  [110, 850, 230],
  [1390, 780, 300],
  [1270, 856, 230],
  [420, 890, 150],
  [980, 890, 150],
] as const;

function temple(stage: Stage): void {
  const { still } = stage;
  const far = hills(stage, 1, {
    y: 600,
    rise: 30,
    stretch: 180,
    roughness: 0.52,
    lift: (x) => 150 * swell(x, 80, 260) + 60 * swell(x, 620, 240),
  });
  paintDepth(stage, [far.outline], 0.06, { from: 420, to: 640 });
  paintMist(stage, 606, 160, 0.1);
  const low = hills(stage, 2, { y: 668, rise: 18, stretch: 140 });
  paintDepth(stage, [low.outline, ...canopy(stage, low.at, 44, 32, 10)], 0.26, { from: 560, to: 710 });
  paintMist(stage, 684, 130, 0.3);
  const cx = 900 + between(stage, -40, 40);
  const foot = 770;
  const steps: string[] = [];
  const levels = 8;
  for (let i = 0; i < levels; i++) {
    const half = 390 - i * 41;
    steps.push(
      rectangle(cx - half, foot - (i + 1) * 50, half * 2, 52),
      rectangle(cx - half - 7, foot - (i + 1) * 50, half * 2 + 14, 9),
    );
  }
  const top = foot - levels * 50;
  steps.push(
    rectangle(cx - 66, top - 70, 132, 74),
    rectangle(cx - 80, top - 78, 160, 14),
    rectangle(cx - 50, top - 122, 100, 48),
    ...[-44, -22, 0, 22, 44].map((o) => rectangle(cx + o - 7, top - 140, 13, 20)),
  );
  paintDepth(stage, steps, 0.54, { from: 260, to: 800, rim: 1 });
  const { air } = stage;
  const stair = Array.from({ length: 40 }, (_, i) => rectangle(cx - 56 + i * 0.35, foot - i * 10, 112 - i * 0.7, 4));
  paint(
    still,
    `<path d="${polygon([
      [cx - 58, foot],
      [cx + 58, foot],
      [cx + 44, top],
      [cx - 44, top],
    ])}" fill="${air.tone(0.72)}"/><path d="${stair.join("")}" fill="${air.haze(0.4)}" opacity=".6"/><path d="${rectangle(cx - 20, top - 54, 40, 56)}" fill="#ffb25c"/>`,
  );
  paintPanes(stage, [
    [cx, top - 24, 26],
    [cx - 90, top - 4, 9],
    [cx + 90, top - 4, 9],
  ]);
  paintMist(stage, 764, 150, 0.5);
  const bush = hills(stage, 3, { y: 790, rise: 16, stretch: 120 });
  paintDepth(
    stage,
    [
      bush.outline,
      ...canopy(stage, bush.at, 34, 46, 60),
      ...palm(560, 800, 190, 30, 4),
      ...palm(640, 806, 150, -24, 6),
      ...palm(1310, 800, 240, -20, 8),
    ],
    0.8,
    { from: 640, to: 862, rim: 0.9 },
  );
  paintBirds(stage, 640, 290, 10, 8);
  const near = hills(stage, 4, { y: 880, rise: 16, stretch: 140 });
  paintDepth(stage, [near.outline, ...ferns(stage, CORNERS), ...palm(70, 850, 600, 70, 19)], 1);
}

function falls(stage: Stage): void {
  const { still, chance, air } = stage;
  const far = hills(stage, 1, {
    y: 560,
    rise: 40,
    stretch: 140,
    roughness: 0.54,
    lift: (x) => 170 * swell(x, 700, 260) + 60 * swell(x, 1150, 260),
  });
  paintDepth(stage, [far.outline], 0.05, { from: 360, to: 620 });
  paintMist(stage, 570, 170, 0.1);
  // Two walls of a gorge and the water between them.
  const cliff = (key: number, edge: number, side: 1 | -1, top: number) =>
    hills(stage, key, {
      y: 900,
      rise: 16,
      stretch: 40,
      roughness: 0.62,
      lift: (x) => {
        const d = (x - edge) * side;
        return d < 0 ? Math.max(0, 60 + d) : Math.min(900 - top, 130 + d * 8) + Math.min(70, d * 0.16);
      },
    });
  const back = cliff(2, 560, -1, 400);
  paintDepth(stage, [back.outline, ...canopy(stage, (x) => (x < 540 ? back.at(x) : 1200), 50, 36, 5)], 0.36, {
    from: 330,
    to: 800,
  });
  const threads = [300, 372, 420, 470].map((x, i) =>
    limb(
      [
        [x - 8, 396 - (i % 2) * 10, 22 + i * 6],
        [x + 6, 520, 32 + i * 8],
        [x + 10, 800, 60 + i * 8],
      ],
      6,
    ),
  );
  const water = vertical(still, 380, 800, [
    [0, "#ffe6cf", 0.95],
    [0.3, air.fog(0), 0.7],
    [1, air.fog(0.2), 0.06],
  ]);
  paint(
    still,
    `<g fill="${water}" filter="${blur(still, 2, 2, { x: 240, y: 360, width: 300, height: 470 })}"><path d="${threads.join("")}"/></g>`,
  );
  const strands = Array.from({ length: 40 }, () => {
    const x = 286 + chance() * 220;
    return limb(
      [
        [x, 400 + chance() * 30, 1.4],
        [x + 8, 600, 2],
        [x + 12, 720 + chance() * 60, 0.8],
      ],
      3,
    );
  });
  paint(still, `<path d="${strands.join("")}" fill="#fff2e0" opacity=".4"/>`);
  paintMist(stage, 730, 210, 0.3);
  const right = cliff(3, 1010, 1, 430);
  const left = cliff(4, 210, -1, 470);
  paintDepth(
    stage,
    [
      right.outline,
      left.outline,
      ...canopy(stage, (x) => (x > 1030 ? right.at(x) : x < 190 ? left.at(x) : 1300), 40, 44, 40),
      ...palm(1180, right.at(1180) + 10, 210, 30, 3),
      ...palm(90, left.at(90) + 10, 190, -30, 5),
    ],
    0.7,
    { from: 340, to: 862, rim: 1 },
  );
  // The rope bridge from wall to wall.
  const deck = smooth(
    [
      [170, 462],
      [600, 574],
      [1050, 430],
    ],
    26,
  );
  const rope = deck.map(([x, y], i): Point => [x, y - 40 - 16 * Math.abs(i / (deck.length - 1) - 0.5)]);
  const line = (list: readonly Point[]) => `M${list.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join("L")}`;
  paint(
    still,
    `<g fill="none" stroke="${air.tone(0.9)}"><path d="${line(deck)}" stroke-width="8"/><path d="${line(rope)}" stroke-width="2.6"/>${deck.map(([x, y], i) => `<path d="M${x.toFixed(1)},${y.toFixed(1)}L${(rope[i]?.[0] ?? x).toFixed(1)},${(rope[i]?.[1] ?? y).toFixed(1)}" stroke-width="1.6"/>`).join("")}</g>`,
  );
  const on = (i: number) => deck[i] ?? [600, 570];
  paintDepth(
    stage,
    [...person(on(24)[0], on(24)[1] + 2, 86, 1, "staff"), ...person(on(17)[0], on(17)[1] + 2, 80, 1)],
    0.92,
    { rim: 1 },
  );
  paintBirds(stage, 760, 270, 9, 8);
  paintMist(stage, 812, 110, 0.6);
  paintDepth(
    stage,
    ferns(stage, [
      [-10, 800, 320],
      [130, 870, 240],
      [1390, 800, 330],
      [1240, 880, 240],
    ]),
    1,
  );
}

function river(stage: Stage): void {
  const { chance } = stage;
  const far = hills(stage, 1, {
    y: 600,
    rise: 20,
    stretch: 160,
    lift: (x) => 90 * swell(x, 460, 240) + 60 * swell(x, 900, 260),
  });
  paintDepth(stage, [far.outline, ...canopy(stage, (x) => far.at(x) + 4, 60, 18, 3)], 0.06, { from: 470, to: 640 });
  paintMist(stage, 606, 150, 0.1);
  paintWater(stage, 620);
  for (const [depth, y, reach, size] of [
    [0.26, 640, 500, 34],
    [0.5, 690, 380, 56],
    [0.76, 750, 250, 80],
  ] as const) {
    for (const side of [0, 1]) {
      const bank = hills(stage, 10 + depth * 10 + side, {
        y: y + 40,
        rise: 8,
        stretch: 90,
        lift: (x) => {
          const d = side === 0 ? x : W - x;
          return 66 * (1 - d / reach) - (d > reach ? (d - reach) * 2 : 0);
        },
      });
      const trees: string[] = [];
      for (let i = 0; i < 5; i++) {
        const d = (i / 5) * reach * 0.92 - 30;
        const x = side === 0 ? d : W - d;
        const tall = size * (3 + chance() * 2.4) * (1.1 - i * 0.1);
        trees.push(
          limb(
            [
              [x, y + 20, size * 0.5],
              [x + (chance() - 0.5) * size * 0.5, y - tall * 0.5, size * 0.24],
              [x + (chance() - 0.5) * size, y - tall, size * 0.2],
            ],
            4,
          ),
          ...crown(x, y - tall, size * 1.7, size * 0.8, (stage.seed % 100) + i + side * 10, 10),
          ...crown(x + size * 0.5, y - tall * 0.66, size, size * 0.4, i + 50, 7),
        );
        for (let k = 0; k < 4; k++) {
          const vx = x + (chance() - 0.5) * size * 2.6;
          trees.push(
            limb(
              [
                [vx, y - tall, 2],
                [vx + 4, y - tall * (0.5 + chance() * 0.2), 2.4],
              ],
              1,
            ),
          );
        }
      }
      paintDepth(stage, [bank.outline], Math.min(1, depth + 0.34), { from: y - 60, to: y + 240, bleed: 0 });
      paintDepth(
        stage,
        [
          ...trees,
          ...Array.from({ length: 12 }, (_, i) => i * (reach / 12)).flatMap((d, i) =>
            crown(side === 0 ? d : W - d, y - 4, size * 0.7, size * 0.34, 90 + i, 6),
          ),
        ],
        depth,
        { from: y - 260, to: y + 90, thick: 0.3, rim: 0.9, bleed: 0.2 },
      );
    }
    paintMist(stage, y + 14, 90, depth);
  }
  const [x, y] = [690 + between(stage, -50, 50), 776];
  paintDepth(
    stage,
    [
      shape("-2,-.34 -1.5,.02 1.5,.02 2.1,-.4 1.4,-.2 -1.4,-.18", x, y, 92),
      ...person(x - 40, y - 10, 108, 1, "staff"),
      ...person(x + 70, y + 6, 70, 1),
    ],
    0.9,
    { rim: 1 },
  );
  paintPanes(stage, [[x + 176, y - 66, 11]]);
  paintDepth(stage, [rectangle(x + 175, y - 58, 3, 40)], 1);
  paintDepth(
    stage,
    [...ferns(stage, CORNERS), ...crown(60, 30, 320, 110, 8, 26), ...crown(1330, 10, 340, 120, 9, 26)],
    1,
  );
  paintMotes(stage, "#ffc27a", 80);
}
