// Ruins: a broken arch, the head of a fallen colossus, a colonnade on its steps.
import { person } from "../cast/people.ts";
import { ruinedArch } from "../cast/ruined-arch.ts";
import { ellipse, limbAt, placed, points, polygon, rectangle, shape, smooth } from "../outline.ts";
import { swell } from "../ridge.ts";
import {
  between,
  hills,
  paintBirds,
  paintDepth,
  paintMist,
  paintMotes,
  paintWater,
  type Stage,
  type View,
} from "../stage.ts";
import { branches, crown, wood } from "../trees.ts";

const W = 1380;

export const RUINS: readonly View[] = [
  { name: "arch", light: { x: 800, y: 490, radius: 60 }, paint: archway },
  { name: "colossus", light: { x: 980, y: 520, radius: 34 }, paint: colossus },
  { name: "colonnade", light: { x: 690, y: 500, radius: 46 }, paint: colonnade },
];

function archway(stage: Stage): void {
  const { seed } = stage;
  const far = hills(stage, 1, {
    y: 590,
    rise: 50,
    stretch: 240,
    lift: (x) => 90 * swell(x, 200, 420) + 60 * swell(x, 1300, 300),
  });
  paintDepth(stage, [far.outline], 0.04, { from: 450, to: 640 });
  paintMist(stage, 590, 150, 0.1);
  const middle = hills(stage, 2, { y: 680, rise: 24, stretch: 180, lift: (x) => 50 * swell(x, 1180, 320) });
  const broken = [1, 2, 3, 4, 5, 6].flatMap((i) => {
    const x = 90 + i * 74 + (i % 2) * 22;
    return [shape("-.26,.3 -.26,-1.6 -.1,-1.9 .14,-1.5 .26,-1.7 .26,.3", x, middle.at(x), 30 + (i % 3) * 18)];
  });
  paintDepth(stage, [middle.outline, ...broken], 0.3, { from: 540, to: 720 });
  paintMist(stage, 690, 140, 0.35);
  const hill = hills(stage, 3, {
    y: 790,
    rise: 12,
    stretch: 190,
    roughness: 0.55,
    lift: (x) => 60 * swell(x, 800, 600),
  });
  paintDepth(stage, [hill.outline, ...ruinedArch(800, hill.at, 50)], 0.66, { from: 330, to: 830 });
  paintDepth(stage, person(778, hill.at(778) + 4, 76, 1, "staff"), 0.86, { rim: 1 });
  paintMist(stage, 800, 90, 0.7);
  const near = hills(stage, 4, {
    y: 862,
    rise: 18,
    stretch: 120,
    lift: (x) => 80 * swell(x, 40, 320) + 40 * swell(x, 1340, 240),
  });
  const { chance } = stage;
  paintDepth(
    stage,
    [
      near.outline,
      ...branches(120, 800, -1.35, 190, 38, 6, chance, 0.55),
      ...branches(60, 830, -1.9, 120, 22, 5, chance, 0.6),
      ...crown(1330, 850, 110, 70, seed, 22),
    ],
    1,
  );
  paintBirds(stage, 420, 250, 7);
}

function colossus(stage: Stage): void {
  const { still, air, seed } = stage;
  const far = hills(stage, 1, {
    y: 600,
    rise: 30,
    stretch: 200,
    lift: (x) => 110 * swell(x, 1380, 420) + 60 * swell(x, 0, 320),
  });
  paintDepth(stage, [far.outline, ...wood(far, { seed, from: 0, to: W, gap: 7, height: 26 })], 0.05, {
    from: 480,
    to: 640,
  });
  paintMist(stage, 610, 140, 0.1);
  paintWater(stage, 636);
  const s = 300;
  const [x, y] = [470 + between(stage, -30, 30), 690];
  // A face of stone, looking at the light, sunk to the chin and leaning back.
  const face = smooth(
    points(
      "-.62,.3 -.78,-.2 -.82,-.72 -.66,-1.16 -.3,-1.42 .1,-1.46 .38,-1.34 .5,-1.14 .52,-.98 .5,-.9 .6,-.8 .78,-.52 .8,-.46 .7,-.42 .66,-.38 .74,-.28 .7,-.22 .6,-.2 .68,-.12 .66,-.04 .6,.02 .62,.12 .52,.22 .34,.3",
    ),
    5,
  );
  const crownOfStone = [
    "-.6,-1.1 -.86,-1.62 -.36,-1.3",
    "-.36,-1.3 -.46,-1.86 -.06,-1.42",
    "-.06,-1.42 .02,-1.92 .24,-1.38",
    "-.72,-.8 -1.1,-1.1 -.7,-1.1",
  ];
  paintDepth(
    stage,
    [
      polygon(placed(face, x, y, s)),
      ...crownOfStone.map((text) => shape(text, x, y, s)),
      shape("-1.5,.3 -1.2,-.06 -.7,-.2 -.4,.3", x, y, s),
      limbAt("1.1,.4,.26 1.3,-.1,.24 1.26,-.56,.2 1.2,-.78,.2", x + 330, y, s),
      ...[0, 1, 2, 3].map((i) =>
        limbAt(
          `${1.12 + i * 0.07},-.72,.062 ${1.1 + i * 0.08},-.94,.06 ${1.1 + i * 0.085},${-1.04 + Math.abs(i - 1.4) * 0.05},.05`,
          x + 330,
          y,
          s,
        ),
      ),
      limbAt("1.36,-.62,.08 1.5,-.76,.07 1.52,-.86,.06", x + 330, y, s),
    ],
    0.56,
    { from: 260, to: 740, rim: 1 },
  );
  // Brow, cheek and the cracks of age.
  const dark = ["M", ""].join("").slice(1);
  still.layers.push(
    `<g fill="${air.tone(1)}" opacity=".5"><path d="${shape(".3,-.98 .52,-.94 .5,-.86 .34,-.84 .22,-.9", x, y, s)}"/><path d="${shape(".44,-.24 .7,-.25 .6,-.2 .46,-.2", x, y, s)}"/><path d="${shape("-.3,-1.4 -.22,-1.02 -.34,-.7 -.24,-.34 -.3,-.34 -.42,-.7 -.3,-1.02", x, y, s)}"/><path d="${shape(".1,-.5 .2,-.3 .1,-.04 .04,.2 0,.2 .04,-.06 .12,-.3", x, y, s)}"/></g>${dark}`,
  );
  paintDepth(
    stage,
    [
      ...crown(x - 250, y - 330, 80, 44, seed, 18),
      ...crown(x - 60, y - 426, 60, 24, seed + 2, 14),
      ...crown(x - 380, y - 30, 90, 40, seed + 3, 16),
    ],
    0.66,
    { from: 300, to: 760 },
  );
  paintMist(stage, 704, 120, 0.5);
  const near = hills(stage, 4, {
    y: 848,
    rise: 14,
    stretch: 130,
    lift: (px) => 40 * swell(px, 980, 300) + 60 * swell(px, -20, 260),
  });
  paintDepth(
    stage,
    [
      near.outline,
      ...person(1010, near.at(1010) + 4, 88, -1, "staff"),
      ...Array.from({ length: 70 }, (_, i) =>
        ellipse(i * 20, near.at(i * 20), 2.4, between(stage, 12, 44), between(stage, -22, 22)),
      ),
    ],
    0.98,
  );
  paintBirds(stage, 700, 240, 9);
}

function colonnade(stage: Stage): void {
  const { seed, chance } = stage;
  const far = hills(stage, 1, {
    y: 590,
    rise: 40,
    stretch: 220,
    lift: (x) => 70 * swell(x, 120, 340) + 90 * swell(x, 1250, 340),
  });
  paintDepth(stage, [far.outline], 0.03, { from: 470, to: 640 });
  paintMist(stage, 600, 150, 0.1);
  const column = (x: number, y: number, s: number, tall: number) => {
    const broken = tall < 1;
    const top = y - s * tall;
    const out = [
      rectangle(x - s * 0.1, y - s * 0.06, s * 0.2, s * 0.08),
      polygon([
        [x - s * 0.075, y],
        [x - s * 0.062, top],
        [x + s * 0.062, broken ? top - s * 0.07 : top],
        [x + s * 0.075, y],
      ]),
    ];
    if (!broken)
      out.push(
        shape("-.07,0 -.1,-.06 .1,-.06 .07,0", x, top + 1, s),
        rectangle(x - s * 0.11, top - s * 0.09, s * 0.22, s * 0.05),
      );
    return out;
  };
  const shapes = (foot: number, s: number, spread: number, count: number) => {
    const out: string[] = [];
    for (const side of [-1, 1])
      for (let i = 0; i < count; i++) {
        const x = 690 + side * (spread + i * s * 0.42);
        out.push(...column(x, foot, s, i === 0 || chance() < 0.5 ? 1 : 0.3 + chance() * 0.55));
      }
    return out;
  };
  paintDepth(stage, shapes(620, 150, 120, 7), 0.2, { from: 440, to: 650 });
  paintMist(stage, 622, 110, 0.25);
  const steps = (y: number, half: number) =>
    [0, 1, 2, 3].map((i) =>
      polygon([
        [690 - half - i * 30, y + i * 16],
        [690 + half + i * 30, y + i * 16],
        [690 + half + i * 30 + 30, y + 90],
        [690 - half - i * 30 - 30, y + 90],
      ]),
    );
  paintDepth(stage, [...shapes(700, 290, 210, 4), ...steps(694, 610), rectangle(-20, 776, 1420, 100)], 0.5, {
    from: 380,
    to: 760,
  });
  // What is left of the gable over the two middle columns.
  const beam = 700 - 290 * 1.09;
  paintDepth(
    stage,
    [
      rectangle(440, beam - 24, 500, 28),
      shape("-.5,0 -.26,-.1 -.2,-.06 -.04,-.2 .02,-.22 .1,-.17 .16,-.14 .3,-.02 .5,0", 690, beam - 23, 540),
    ],
    0.54,
    { from: 380, to: 760 },
  );
  paintDepth(stage, person(690, 700, 92, 1, "cloak"), 0.8, { rim: 1 });
  paintMist(stage, 772, 130, 0.6);
  const near = hills(stage, 4, {
    y: 862,
    rise: 12,
    stretch: 110,
    lift: (x) => 70 * swell(x, 0, 300) + 70 * swell(x, W, 300),
  });
  paintDepth(
    stage,
    [
      near.outline,
      ...column(150, 850, 640, 0.82),
      ...column(1260, 860, 700, 1.2),
      ...crown(60, 850, 150, 70, seed, 26),
      ...crown(1330, 860, 130, 60, seed + 4, 26),
      shape("-1.2,.3 -1.3,-.1 1.0,-.3 1.2,.3", 430, 850, 110),
    ],
    1,
  );
  paintMotes(stage, "#ffc48a", 70, 0.9);
  paintBirds(stage, 900, 230, 6);
}
