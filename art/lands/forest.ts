// Forests: a cabin in a clearing, a fire lookout above the canopy, a grove of old trunks with a wanderer.
import { watchtower } from "../cast/fortress.ts";
import { person } from "../cast/people.ts";
import { paintSmoke } from "../cast/smoke-and-searchlight.ts";
import { ellipse, limb, rectangle, shape } from "../outline.ts";
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
import { branches, crown, wood } from "../trees.ts";

const W = 1380;

export const FOREST: readonly View[] = [
  { name: "cabin", light: { x: 480, y: 452, radius: 30 }, paint: cabin },
  { name: "lookout", light: { x: 400, y: 520, radius: 46 }, paint: lookout },
  { name: "grove", light: { x: 690, y: 492, radius: 40 }, never: ["night"], paint: grove },
];

function cabin(stage: Stage): void {
  const { still, air, seed } = stage;
  const far = hills(stage, 1, { y: 500, rise: 40, stretch: 300, lift: (x) => 130 * swell(x, 1080, 520) });
  paintDepth(stage, [far.outline, ...wood(far, { seed, from: 0, to: W, gap: 6, height: 34 })], 0.06, {
    from: 340,
    to: 560,
  });
  paintMist(stage, 530, 150, 0.1);
  const middle = hills(stage, 2, {
    y: 610,
    rise: 22,
    stretch: 210,
    lift: (x) => 60 * swell(x, 90, 360) + 70 * swell(x, 1330, 420),
  });
  paintDepth(
    stage,
    [
      middle.outline,
      ...wood(middle, {
        seed: seed + 1,
        from: 0,
        to: W,
        gap: 10,
        height: 104,
        grows: (x) => (x > 380 && x < 640 ? 0.25 : 1),
      }),
    ],
    0.36,
    { from: 440, to: 650 },
  );
  paintMist(stage, 636, 130, 0.35);
  const lawn = hills(stage, 3, { y: 724, rise: 12, stretch: 340, lift: (x) => 34 * swell(x, 900, 420) });
  const x = between(stage, 820, 940);
  const y = lawn.at(x) + 6;
  paintSmoke(still, x + 52, y - 196, 0.42, seed % 71, air.fog(0.5), 0.55);
  const at = (text: string) => shape(text, x, y, 100);
  paintDepth(
    stage,
    [
      lawn.outline,
      at("-1.15,.1 -1.15,-.75 1.15,-.75 1.15,.1"),
      at("-1.42,-.66 -.92,-1.5 .92,-1.5 1.42,-.66"),
      at("-.55,-1.0 -.55,-1.32 -.18,-1.66 .2,-1.32 .2,-1.0"),
      at(".42,-1.3 .42,-1.94 .62,-1.94 .62,-1.3"),
      at("1.1,-.5 1.85,-.36 1.85,-.3 1.78,-.3 1.78,.1 1.72,.1 1.72,-.3 1.1,-.4"),
      ...wood(lawn, { seed: seed + 2, from: 1090, to: W, gap: 34, height: 250 }),
      ...[-210, -176].map((off) => rectangle(x + off, y - 34, 5, 40)),
      rectangle(x - 214, y - 26, 46, 5),
    ],
    0.72,
    { from: 480, to: 800 },
  );
  paintPanes(stage, [
    [x - 62, y - 36, 25],
    [x + 36, y - 36, 25],
    [x - 18, y - 128, 13],
  ]);
  paintMist(stage, 770, 110, 0.7);
  const near = hills(stage, 4, {
    y: 842,
    rise: 14,
    stretch: 190,
    lift: (px) => 110 * swell(px, -30, 330) + 90 * swell(px, 1430, 260),
  });
  paintDepth(
    stage,
    [
      near.outline,
      ...wood(near, { seed: seed + 5, from: -40, to: 310, gap: 62, height: 560 }),
      ...wood(near, { seed: seed + 9, from: 1230, to: 1420, gap: 52, height: 620 }),
    ],
    1,
  );
}

function lookout(stage: Stage): void {
  const { seed } = stage;
  const far = hills(stage, 1, {
    y: 560,
    rise: 60,
    stretch: 260,
    roughness: 0.52,
    lift: (x) => 120 * swell(x, 1250, 500),
  });
  paintDepth(stage, [far.outline], 0.02, { from: 430, to: 640 });
  paintMist(stage, 580, 150, 0.1);
  const next = hills(stage, 2, { y: 636, rise: 34, stretch: 230, lift: (x) => 60 * swell(x, 200, 400) });
  paintDepth(stage, [next.outline, ...wood(next, { seed, from: 0, to: W, gap: 7, height: 52 })], 0.22, {
    from: 540,
    to: 690,
  });
  paintMist(stage, 676, 130, 0.3);
  const hill = hills(stage, 3, { y: 800, rise: 16, stretch: 200, lift: (x) => 150 * swell(x, 960, 520) });
  const x = between(stage, 900, 1000);
  paintDepth(
    stage,
    [
      hill.outline,
      ...watchtower(x, hill.at(x) + 8, 44),
      ...wood(hill, {
        seed: seed + 4,
        from: 0,
        to: W,
        gap: 16,
        height: 128,
        grows: (px) => (Math.abs(px - x) < 70 ? 0 : 0.95),
      }),
    ],
    0.66,
    { from: 400, to: 830 },
  );
  paintPanes(stage, [
    [x - 28, hill.at(x) + 8 - 8.55 * 44, 22],
    [x + 28, hill.at(x) + 8 - 8.55 * 44, 22],
  ]);
  paintBirds(stage, 560, 300, 9);
  paintMist(stage, 800, 120, 0.7);
  const near = hills(stage, 4, { y: 900, rise: 20, stretch: 160, lift: (px) => 120 * swell(px, 60, 420) });
  paintDepth(
    stage,
    [
      near.outline,
      ...wood(near, {
        seed: seed + 7,
        from: -30,
        to: W,
        gap: 38,
        height: 230,
        grows: (px) => (px < 520 || px > 1180 ? 1 : 0.4),
      }),
    ],
    1,
  );
}

function grove(stage: Stage): void {
  const { seed, chance } = stage;
  for (const [depth, count, wide, foot] of [
    [0.04, 30, 17, 620],
    [0.25, 17, 32, 652],
    [0.52, 9, 58, 706],
  ] as const) {
    const trunks: string[] = [];
    for (let i = 0; i < count; i++) {
      const x = ((i + 0.15 + chance() * 0.7) / count) * (W + 160) - 80;
      if (Math.abs(x - 690) < 36 + depth * 290) continue;
      trunks.push(...trunk(x, foot, wide * (0.7 + chance() * 0.6), chance));
    }
    const floor = hills(stage, 2 + depth * 10, { y: foot, rise: 9, stretch: 200 });
    const brush = Array.from({ length: 22 }, (_, i) => i * 64 + chance() * 40).flatMap((x, i) =>
      Math.abs(x - 690) < 60 + depth * 200 ? [] : crown(x, foot, 24 + wide * 0.9, 9 + wide * 0.5, seed + i, 8),
    );
    paintDepth(stage, [floor.outline, ...trunks, ...brush], depth, {
      from: 240,
      to: foot + 20,
      bleed: 0.45 * (1 - depth),
    });
    paintMist(stage, foot - 6, 170 - depth * 60, depth * 0.9);
  }
  const x = between(stage, 640, 740);
  paintDepth(stage, [...person(x, 742, 112, 1, "cloak")], 0.8, { from: 500, to: 900 });
  const near = hills(stage, 8, {
    y: 800,
    rise: 14,
    stretch: 170,
    lift: (px) => 60 * swell(px, 0, 300) + 70 * swell(px, W, 320) - 50 * swell(px, 690, 300),
  });
  const canopy = [
    ...crown(170, -10, 400, 130, seed, 60),
    ...crown(1230, -20, 420, 140, seed + 3, 60),
    ...crown(700, -70, 420, 110, seed + 6, 50),
  ];
  paintDepth(
    stage,
    [
      near.outline,
      rectangle(0, 861, W, 4),
      ...canopy,
      ...trunk(110, 850, 150, chance),
      ...trunk(1262, 850, 170, chance),
      ...branches(190, 260, -0.5, 130, 20, 4, chance),
      ...branches(1190, 210, -2.6, 130, 20, 4, chance),
      ...ferns(chance),
    ],
    1,
    { rim: 0.7 },
  );
  paintMotes(stage, "#ffc27a", 60);
}

function trunk(x: number, y: number, wide: number, chance: () => number): string[] {
  const lean = (chance() - 0.5) * wide;
  return [
    limb([
      [x - wide * 0.1, y + wide, wide * 2],
      [x, y - wide * 0.5, wide * 1.15],
      [x + lean * 0.4, y * 0.5, wide * 0.9],
      [x + lean, -40, wide * 0.8],
    ]),
  ];
}

function ferns(chance: () => number): string[] {
  return Array.from({ length: 90 }, () => {
    const x = chance() < 0.5 ? chance() * 420 : W - chance() * 420;
    const tall = 20 + chance() * 50;
    return ellipse(x, 846 - tall * 0.3, 2.2 + chance() * 2, tall, (chance() - 0.5) * 60 + 0);
  });
}
