// Industry: works under their chimneys, a refinery with its flare, cranes over a harbour.
import { person } from "../cast/people.ts";
import { paintSmoke } from "../cast/smoke-and-searchlight.ts";
import { ellipse, limb, type Point, polygon, rectangle, shape } from "../outline.ts";
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
import { paint, round } from "../still.ts";

const W = 1380;

export const INDUSTRY: readonly View[] = [
  { name: "works", light: { x: 380, y: 530, radius: 56 }, paint: works },
  { name: "refinery", light: { x: 900, y: 560, radius: 38 }, paint: refinery },
  { name: "harbour", light: { x: 640, y: 500, radius: 48 }, paint: harbour },
];

const chimney = (x: number, y: number, s: number, tall: number) => [
  polygon([
    [x - s * 0.5, y],
    [x - s * 0.34, y - tall],
    [x + s * 0.34, y - tall],
    [x + s * 0.5, y],
  ]),
  rectangle(x - s * 0.42, y - tall, s * 0.84, s * 0.3),
  rectangle(x - s * 0.4, y - tall * 0.86, s * 0.8, s * 0.12),
];

/** A hall under a roof of saw teeth. */
const hall = (x: number, y: number, wide: number, tall: number, teeth: number) => [
  rectangle(x, y - tall, wide, tall + 40),
  ...Array.from({ length: teeth }, (_, i) => {
    const a = x + (i * wide) / teeth;
    return polygon([
      [a, y - tall + 2],
      [a, y - tall - (wide / teeth) * 0.62],
      [a + wide / teeth, y - tall + 2],
    ]);
  }),
];

/** A gallery on stilts between two points, with its lattice. */
function gallery(a: Point, b: Point, thick: number): string[] {
  const long = Math.hypot(b[0] - a[0], b[1] - a[1]);
  const n = Math.max(3, Math.round(long / (thick * 1.6)));
  const at = (t: number, off: number): Point => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t + off];
  const line = (p: Point, q: Point, w: number) =>
    limb(
      [
        [...p, w],
        [...q, w],
      ],
      1,
    );
  const out = [line(at(0, 0), at(1, 0), thick * 0.22), line(at(0, thick), at(1, thick), thick * 0.22)];
  for (let i = 0; i < n; i++)
    out.push(
      line(at(i / n, 0), at((i + 1) / n, thick), thick * 0.1),
      line(at(i / n, thick), at((i + 1) / n, 0), thick * 0.1),
    );
  return out;
}

function works(stage: Stage): void {
  const { still, seed, air, chance } = stage;
  const far = [90, 170, 620, 700, 1260].flatMap((x) => chimney(x, 620, 22, 110 + chance() * 90));
  const line = hills(stage, 1, { y: 610, rise: 14, stretch: 160 });
  paintDepth(
    stage,
    [line.outline, ...far, ...hall(40, 606, 220, 40, 4), ...hall(560, 606, 260, 52, 5), ...hall(1150, 606, 240, 44, 4)],
    0.06,
    { from: 430, to: 640 },
  );
  for (const [i, x] of [170, 620, 1260].entries()) paintSmoke(still, x, 470, 0.3, (seed + i) % 89, air.fog(0.3), 0.6);
  paintMist(stage, 614, 140, 0.1);
  for (const [i, [x, tall]] of (
    [
      [760, 410],
      [880, 490],
      [1006, 350],
    ] as const
  ).entries())
    paintSmoke(still, x, 700 - tall, 0.62 + i * 0.08, (seed + i * 7) % 97, air.tone(0.5), 0.8);
  const foot = 706;
  paintDepth(
    stage,
    [
      ...chimney(760, foot, 54, 410),
      ...chimney(880, foot, 60, 490),
      ...chimney(1006, foot, 50, 350),
      ...hall(640, foot, 340, 120, 5),
      rectangle(1060, foot - 190, 150, 230),
      rectangle(1080, foot - 222, 60, 40),
      ...hall(1190, foot, 260, 90, 3),
      ...gallery([1130, foot - 170], [1400, foot - 250], 26),
      ...gallery([470, foot - 30], [660, foot - 128], 24),
      ellipse(560, foot - 118, 54, 40),
      ...[-40, 0, 40].map((off) =>
        limb(
          [
            [560 + off * 0.7, foot - 90, 7],
            [560 + off * 1.2, foot + 10, 7],
          ],
          1,
        ),
      ),
      rectangle(-20, foot - 4, W + 40, 60),
    ],
    0.6,
    { from: 260, to: 760 },
  );
  const lights: [number, number, number][] = [];
  for (let i = 0; i < 34; i++) lights.push([660 + i * 9.2 * 1.02, foot - 70 + (i % 2) * 34, 7]);
  for (const y of [150, 110, 70])
    for (const x of [1084, 1116, 1148, 1180]) if (chance() < 0.6) lights.push([x, foot - y, 9]);
  paintPanes(
    stage,
    lights.filter(() => chance() < 0.72),
  );
  paintMist(stage, 736, 110, 0.6);
  const yard = hills(stage, 4, { y: 838, rise: 6, stretch: 220 });
  const posts = [80, 330, 580, 830, 1080, 1330].flatMap((x) => [
    rectangle(x, 700, 8, 150),
    limb(
      [
        [x - 4, 702, 6],
        [x + 34, 680, 5],
      ],
      1,
    ),
  ]);
  const wires = [704, 724, 744, 764].map((y) => rectangle(-10, y, W + 20, 1.8));
  paintDepth(
    stage,
    [
      yard.outline,
      ...posts,
      ...wires,
      ...person(420, yard.at(420) + 3, 96, 1),
      ...person(470, yard.at(470) + 3, 92, -1),
    ],
    1,
  );
  paintMotes(stage, "#ff9a3c", 80);
}

function refinery(stage: Stage): void {
  const { still, seed, chance, air } = stage;
  const line = hills(stage, 1, { y: 612, rise: 16, stretch: 200, lift: (x) => 30 * Math.cos(x / 300) });
  paintDepth(
    stage,
    [line.outline, ...Array.from({ length: 9 }, (_, i) => rectangle(700 + i * 76, 612 - 30 - chance() * 60, 42, 90))],
    0.05,
    { from: 470, to: 640 },
  );
  paintMist(stage, 610, 150, 0.1);
  const foot = 730;
  const shapes: string[] = [];
  const lights: [number, number, number][] = [];
  const column = (x: number, wide: number, tall: number) => {
    const decks = Math.max(2, Math.round(tall / 70));
    shapes.push(
      rectangle(x - wide / 2, foot - tall, wide, tall),
      ellipse(x, foot - tall, wide / 2, wide * 0.4),
      rectangle(x + wide * 0.62, foot - tall * 0.94, 5, tall),
      rectangle(x - 2, foot - tall - wide * 0.9, 4, wide * 0.7),
    );
    for (let i = 1; i <= decks; i++) {
      const y = foot - (tall * i) / (decks + 0.3);
      shapes.push(
        rectangle(x - wide * 0.86, y, wide * 1.72, 5),
        rectangle(x - wide * 0.86, y - 14, 2.4, 16),
        rectangle(x + wide * 0.82, y - 14, 2.4, 16),
        rectangle(x - wide * 0.86, y - 15, wide * 1.72, 2),
      );
      lights.push([x - wide * 0.7, y - 8, 5], [x + wide * 0.7, y - 8, 5]);
    }
  };
  column(150, 74, 420);
  column(262, 50, 300);
  column(346, 62, 520);
  column(470, 44, 250);
  column(600, 56, 340);
  for (const [x, r] of [
    [735, 62],
    [880, 62],
    [1240, 52],
  ] as const) {
    shapes.push(
      ellipse(x, foot - r - 20, r),
      ...[-0.7, -0.25, 0.25, 0.7].map((k) => rectangle(x + k * r - 3, foot - r, 6, r + 10)),
      rectangle(x - r * 1.06, foot - r - 23, r * 2.12, 5),
    );
  }
  for (const y of [40, 58, 128, 146]) shapes.push(rectangle(90, foot - y, 620, 7));
  for (let x = 100; x < 720; x += 62) shapes.push(rectangle(x, foot - 150, 5, 160));
  for (const [x, y] of [
    [410, 210],
    [530, 160],
    [210, 190],
  ] as const)
    shapes.push(
      limb(
        [
          [x - 60, foot - y, 10],
          [x - 6, foot - y, 10],
          [x, foot - y + 8, 10],
          [x, foot - 130, 10],
        ],
        3,
      ),
    );
  const flare = 1090;
  shapes.push(
    limb(
      [
        [flare, foot, 14],
        [flare, foot - 470, 8],
      ],
      1,
    ),
    ...gallery([flare - 16, foot - 20], [flare - 5, foot - 440], 1),
    limb(
      [
        [flare - 70, foot, 5],
        [flare - 3, foot - 380, 4],
      ],
      1,
    ),
    limb(
      [
        [flare + 70, foot, 5],
        [flare + 3, foot - 380, 4],
      ],
      1,
    ),
    rectangle(flare - 12, foot - 478, 24, 12),
  );
  shapes.push(rectangle(-20, foot - 2, W + 40, 60));
  paintSmoke(still, flare + 8, foot - 520, 0.7, seed % 83, air.tone(0.4), 0.7);
  paintDepth(stage, shapes, 0.6, { from: 260, to: 780 });
  const fire = round(still, flare + 10, foot - 520, 150, [
    [0, "#fff0cf", 1],
    [0.12, "#ffc877", 0.8],
    [0.4, "#ff8000", 0.3],
    [1, "#ff8000", 0],
  ]);
  paint(
    still,
    `<circle cx="${flare + 10}" cy="${foot - 520}" r="150" fill="${fire}"/><path d="${shape("-.16,.5 -.34,0 -.16,-.5 .06,-.86 .5,-1.4 .36,-.8 .56,-.7 .3,-.1 .2,.5", flare, foot - 482, 54)}" fill="#ffd48c"/>`,
  );
  paintPanes(stage, lights);
  paintMist(stage, 752, 110, 0.6);
  paintWater(stage, 786);
  const quay = [
    rectangle(-20, 842, W + 40, 40),
    ...[180, 460, 740, 1020, 1300].flatMap((x) => [shape("-14,0 -10,-26 -18,-34 18,-34 10,-26 14,0", x, 844, 1)]),
  ];
  paintDepth(stage, [...quay, ...person(1010, 844, 96, -1)], 1);
}

function harbour(stage: Stage): void {
  const { chance } = stage;
  const line = hills(stage, 1, { y: 602, rise: 20, stretch: 200, lift: (x) => 40 * Math.cos(x / 260) + 20 });
  paintDepth(stage, [line.outline], 0.05, { from: 480, to: 630 });
  const crane = (x: number, y: number, s: number, dir: 1 | -1) => {
    const p = (a: number, b: number): Point => [x + a * s * dir, y - b * s];
    const bar = (a: Point, b: Point, w: number) =>
      limb(
        [
          [...a, w * s],
          [...b, w * s],
        ],
        1,
      );
    return [
      bar(p(-0.24, 0), p(-0.16, 1.2), 0.035),
      bar(p(0.24, 0), p(0.18, 1.2), 0.035),
      bar(p(-0.22, 0.42), p(0.22, 0.42), 0.03),
      bar(p(-0.2, 0.1), p(0.2, 0.42), 0.016),
      bar(p(0.2, 0.5), p(-0.17, 1.1), 0.016),
      ...gallery(p(-0.75, 1.2), p(1.0, 1.2), 0.07 * s),
      bar(p(0.02, 1.2), p(0.06, 1.62), 0.03),
      bar(p(0.06, 1.6), p(0.94, 1.2), 0.012),
      bar(p(0.06, 1.6), p(-0.7, 1.2), 0.012),
      bar(p(0.06, 1.6), p(0.5, 1.2), 0.01),
      polygon([p(-0.1, 1.12), p(0.12, 1.12), p(0.12, 0.98), p(-0.1, 0.98)]),
      polygon([p(-0.7, 1.3), p(-0.46, 1.3), p(-0.46, 1.12), p(-0.7, 1.12)]),
      bar(p(0.66, 1.16), p(0.66, 0.76), 0.008),
      polygon([p(0.56, 0.76), p(0.76, 0.76), p(0.76, 0.66), p(0.56, 0.66)]),
    ];
  };
  paintDepth(stage, [...crane(960, 612, 110, 1), ...crane(1100, 612, 120, -1), ...crane(1240, 612, 110, 1)], 0.2, {
    from: 400,
    to: 630,
  });
  paintMist(stage, 606, 120, 0.2);
  paintWater(stage, 616);
  // A ship laden with boxes.
  const boxes: string[] = [];
  for (let c = 0; c < 13; c++)
    for (let r = 0; r < 2 + Math.floor(chance() * 4); r++)
      boxes.push(rectangle(600 + c * 42, 634 - (r + 1) * 21, 40, 20));
  paintDepth(
    stage,
    [
      polygon([
        [540, 632],
        [1230, 632],
        [1214, 690],
        [590, 690],
      ]),
      ...boxes,
      polygon([
        [1140, 634],
        [1140, 500],
        [1206, 500],
        [1206, 634],
      ]),
      rectangle(1126, 520, 94, 12),
      rectangle(1164, 462, 5, 40),
    ],
    0.46,
    { from: 420, to: 720, rim: 1 },
  );
  paintPanes(
    stage,
    [1148, 1162, 1176, 1190].flatMap(
      (x) =>
        [
          [x, 545, 7],
          [x, 572, 6],
        ] as [number, number, number][],
    ),
  );
  paintMist(stage, 704, 90, 0.45);
  paintDepth(stage, [...crane(240, 812, 470, 1), rectangle(-20, 806, 640, 80)], 0.78, { from: 160, to: 840, rim: 1 });
  const stacks: string[] = [];
  for (let c = 0; c < 7; c++)
    for (let r = 0; r < 1 + Math.floor(chance() * 4 * (c < 3 ? 1 : 0.6)); r++)
      stacks.push(rectangle(-20 + c * 92, 838 - (r + 1) * 42, 88, 40));
  paintDepth(
    stage,
    [
      rectangle(-20, 836, W + 40, 40),
      ...stacks,
      ...person(790, 838, 84, 1),
      ...[960, 1180].map((x) => shape("-14,0 -10,-26 -18,-34 18,-34 10,-26 14,0", x, 838, 1)),
    ],
    1,
  );
  paintPanes(stage, [
    [240 - 8, 812 - 1.05 * 470, 14],
    [250, 812 - 1.63 * 470, 8],
  ]);
  paintBirds(stage, 820, 270, between(stage, 6, 10), 8);
}
