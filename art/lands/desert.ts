// Deserts: a caravan on a dune, pyramids and palms, the bones of something immense, mesas with cacti.
import { person } from "../cast/people.ts";
import { ellipse, limb, limbAt, type Point, polygon, rectangle, shape } from "../outline.ts";
import { swell } from "../ridge.ts";
import { between, hills, paintBirds, paintDepth, paintMist, paintMotes, type Stage, type View } from "../stage.ts";
import { palm } from "../trees.ts";

export const DESERT: readonly View[] = [
  { name: "caravan", light: { x: 780, y: 430, radius: 92 }, paint: caravan },
  { name: "pyramids", light: { x: 330, y: 505, radius: 44 }, paint: pyramids },
  { name: "bones", light: { x: 690, y: 560, radius: 58 }, paint: bones },
  { name: "mesas", light: { x: 900, y: 530, radius: 40 }, paint: mesas },
];

/** A dune with a sharp crest: rises slowly from the left, falls away steeply. */
function dune(
  stage: Stage,
  key: number,
  y: number,
  tops: readonly (readonly [x: number, rise: number, before: number, after: number])[],
) {
  return hills(stage, key, {
    y,
    rise: 5,
    stretch: 300,
    octaves: 3,
    lift: (x) => {
      let best = 0;
      for (const [top, rise, before, after] of tops) {
        const d = x < top ? (top - x) / before : (x - top) / after;
        if (d < 1) best = Math.max(best, rise * (x < top ? (1 - d) ** 1.5 : (1 - d) ** 2.1));
      }
      return best;
    },
  });
}

/** A camel with its load, walking right; `s` is its height. */
function camel(x: number, y: number, s: number, step: number): string[] {
  const at = (text: string) => limbAt(text, x, y, s, s, 6);
  const k = step % 2 === 0 ? 0.06 : -0.05;
  return [
    at("-.46,-.56,.1 -.34,-.62,.26 -.1,-.64,.3 .14,-.62,.27 .3,-.58,.16"),
    at("-.16,-.72,.12 -.08,-.82,.18 0,-.72,.14"),
    at(".24,-.58,.17 .4,-.5,.12 .5,-.62,.1 .52,-.84,.085"),
    at(".49,-.86,.1 .56,-.9,.1 .66,-.87,.06"),
    at(`-.36,-.56,.13 ${-0.37 - k},-.3,.07 ${-0.38 - k * 2},0,.05`),
    at(`-.28,-.54,.12 ${-0.27 + k},-.3,.065 ${-0.27 + k * 2},0,.05`),
    at(`.18,-.54,.12 ${0.19 + k},-.3,.065 ${0.2 + k * 2},0,.05`),
    at(`.24,-.54,.11 ${0.25 - k},-.3,.06 ${0.25 - k * 2},0,.05`),
    at("-.48,-.6,.03 -.54,-.46,.025 -.53,-.36,.03"),
    shape("-.3,-.74 .1,-.74 .16,-.46 -.34,-.46", x, y, s),
    ...(step % 3 === 0
      ? [
          shape("-.2,-.8 -.14,-1.1 -.04,-1.16 .05,-1.08 .09,-.8", x, y, s),
          ellipse(x - 0.04 * s, y - 1.2 * s, 0.05 * s, 0.06 * s),
        ]
      : []),
  ];
}

function caravan(stage: Stage): void {
  const far = dune(stage, 1, 590, [
    [280, 90, 420, 260],
    [1130, 120, 460, 320],
  ]);
  paintDepth(stage, [far.outline], 0.08, { from: 450, to: 640 });
  paintMist(stage, 600, 120, 0.1);
  const middle = dune(stage, 2, 690, [
    [560, 60, 520, 400],
    [1350, 120, 500, 300],
  ]);
  paintDepth(stage, [middle.outline], 0.3, { from: 560, to: 720 });
  paintMist(stage, 680, 110, 0.35);
  const crest = dune(stage, 3, 800, [[930, 170, 1080, 520]]);
  const beasts = [0, 1, 2, 3, 4].flatMap((i) => {
    const x = 820 - i * 112;
    return camel(x, crest.at(x) + 4, 96 - (i % 2) * 6, i);
  });
  const guide = person(912, crest.at(912) + 3, 70, 1, "staff");
  paintDepth(stage, [crest.outline, ...beasts, ...guide], 0.72, { from: 600, to: 862 });
  const near = dune(stage, 4, 860, [
    [170, 120, 560, 520],
    [1480, 150, 420, 300],
  ]);
  paintDepth(stage, [near.outline], 1);
  paintMotes(stage, "#ffcf9a", 70, 0.8);
}

function pyramids(stage: Stage): void {
  const { still, air, chance } = stage;
  const far = dune(stage, 1, 612, [
    [200, 40, 400, 400],
    [900, 30, 300, 300],
  ]);
  paintDepth(stage, [far.outline], 0.04, { from: 520, to: 650 });
  const pyramid = (x: number, y: number, half: number, tall: number, depth: number) => {
    const steps = Array.from(
      { length: 15 },
      (_, i): Point => [x - half + (i / 15) * half, y - (i / 15) * tall - (i % 2) * 2],
    );
    paintDepth(stage, [polygon([...steps, [x, y - tall], [x + half, y + 6], [x - half, y + 6]])], depth, {
      from: y - tall,
      to: y + 20,
      thick: 0.8,
    });
    // The side away from the light.
    still.layers.push(
      `<path d="${polygon([
        [x, y - tall],
        [x + half, y + 6],
        [x + half * 0.24, y + 6],
      ])}" fill="${air.tone(1)}" opacity=".34"/>`,
    );
  };
  pyramid(560, 606, 120, 140, 0.1);
  paintMist(stage, 600, 110, 0.1);
  pyramid(1150, 640, 210, 250, 0.22);
  pyramid(800, 668, 300, 372, 0.38);
  paintMist(stage, 668, 130, 0.35);
  const sand = dune(stage, 3, 742, [
    [640, 40, 600, 500],
    [1280, 60, 400, 300],
  ]);
  const obelisk = (x: number, s: number) => [
    shape("-.1,.2 -.07,-1.6 0,-1.78 .07,-1.6 .1,.2", x, sand.at(x), s),
    shape("-.2,.2 -.2,0 .2,0 .2,.2", x, sand.at(x), s),
  ];
  const walls = Array.from({ length: 7 }, (_, i) =>
    rectangle(980 + i * 44, sand.at(980 + i * 44) - 20 - chance() * 34, 24, 90),
  );
  paintDepth(stage, [sand.outline, ...obelisk(470, 92), ...obelisk(408, 92), ...walls], 0.66, { from: 560, to: 800 });
  paintMist(stage, 778, 90, 0.7);
  const near = dune(stage, 4, 846, [
    [60, 90, 300, 420],
    [1340, 60, 300, 300],
  ]);
  paintDepth(
    stage,
    [near.outline, ...palm(120, 800, 420, 60, 11), ...palm(206, 830, 300, -34, 12), ...palm(1300, 840, 250, -30, 15)],
    1,
  );
}

function bones(stage: Stage): void {
  const { chance } = stage;
  const far = dune(stage, 1, 600, [
    [350, 70, 400, 360],
    [1250, 90, 420, 320],
  ]);
  paintDepth(stage, [far.outline], 0.06, { from: 490, to: 640 });
  paintMist(stage, 610, 120, 0.1);
  const middle = dune(stage, 2, 690, [[250, 50, 420, 420]]);
  paintDepth(stage, [middle.outline], 0.3, { from: 600, to: 740 });
  const sand = dune(stage, 3, 770, [[760, 60, 700, 560]]);
  const ribs: string[] = [];
  for (let i = 0; i < 9; i++) {
    const t = i / 8;
    const x = 360 + t * 640;
    const tall = 120 + 250 * Math.sin(0.5 + t * 2.1) - t * 30;
    const broken = chance() < 0.2 ? 0.72 : 1;
    const y = sand.at(x) + 20;
    const rib = (off: number, lean: number) =>
      limb([
        [x + off, y, 30],
        [x + off - 46 * lean, y - tall * 0.46, 26],
        [x + off - 20 * lean, y - tall * 0.84 * broken, 18],
        [x + off + 66 * lean * broken, y - tall * broken, 7],
      ]);
    ribs.push(rib(0, 1), rib(74, 0.8));
  }
  const skull = [
    shape("-.1,.3 -.24,-.2 0,-.62 .5,-.74 1.0,-.56 1.5,-.3 1.86,-.02 1.8,.16 1.3,.12 .9,.3", 1040, sand.at(1100), 120),
    limbAt(".2,-.6,.16 -.1,-1.0,.13 -.2,-1.4,.04", 1040, sand.at(1100), 120),
  ];
  const spine = Array.from({ length: 10 }, (_, i) =>
    ellipse(300 - i * 26, sand.at(300 - i * 26) - 4 + i, 17 - i, 15 - i),
  );
  paintDepth(stage, [sand.outline, ...ribs, ...skull, ...spine], 0.62, { from: 380, to: 800 });
  paintDepth(stage, person(705, sand.at(705) + 4, 60, 1, "cloak"), 0.85);
  paintMist(stage, 800, 90, 0.7);
  const near = dune(stage, 4, 856, [
    [1260, 110, 620, 400],
    [-60, 60, 100, 360],
  ]);
  paintDepth(stage, [near.outline], 1);
  paintBirds(stage, 520, 250, 5, 10);
  paintMotes(stage, "#ffcf9a", 90, 0.8);
}

function mesas(stage: Stage): void {
  const butte = (
    key: number,
    y: number,
    list: readonly (readonly [x: number, half: number, tall: number])[],
    slope: number,
  ) =>
    hills(stage, key, {
      y,
      rise: 7,
      stretch: 34,
      roughness: 0.6,
      lift: (x) => {
        let best = 0;
        for (const [at, half, tall] of list) {
          const d = Math.abs(x - at) - half;
          // A cap, a cliff, then a fan of scree.
          best = Math.max(
            best,
            d <= 0 ? tall : d < 16 ? tall * (1 - (d / 16) * 0.42) : Math.max(0, tall * 0.58 - (d - 16) * slope),
          );
        }
        return best;
      },
    });
  const far = butte(
    1,
    604,
    [
      [160, 70, 120],
      [420, 24, 150],
      [1240, 110, 130],
    ],
    0.5,
  );
  paintDepth(stage, [far.outline], 0.06, { from: 430, to: 640 });
  paintMist(stage, 600, 130, 0.1);
  const middle = butte(
    2,
    668,
    [
      [560, 78, 270],
      [680, 14, 200],
      [1120, 60, 210],
    ],
    0.7,
  );
  paintDepth(stage, [middle.outline], 0.34, { from: 380, to: 700 });
  paintMist(stage, 672, 130, 0.35);
  const front = butte(
    3,
    742,
    [
      [150, 150, 330],
      [352, 18, 250],
    ],
    0.8,
  );
  paintDepth(stage, [front.outline], 0.58, { from: 400, to: 800 });
  paintMist(stage, 756, 100, 0.6);
  const near = hills(stage, 4, {
    y: 838,
    rise: 12,
    stretch: 120,
    roughness: 0.55,
    lift: (x) => 40 * swell(x, 1200, 400),
  });
  const cactus = (x: number, s: number) => {
    const y = near.at(x) + 8;
    return [
      limbAt("0,.05,.17 0,-.5,.18 0,-1,.14", x, y, s),
      limbAt("0,-.42,.11 .22,-.42,.11 .26,-.56,.11 .26,-.86,.08", x, y, s),
      limbAt("0,-.3,.1 -.2,-.3,.1 -.24,-.42,.1 -.24,-.66,.08", x, y, s),
      ellipse(x, y - s, s * 0.07),
    ];
  };
  const scrub = Array.from({ length: 60 }, (_, i) =>
    ellipse(i * 24, near.at(i * 24) + 3, between(stage, 5, 22), between(stage, 3, 12)),
  );
  paintDepth(
    stage,
    [near.outline, ...scrub, ...cactus(1120, 250), ...cactus(1250, 150), ...cactus(930, 96), ...cactus(238, 120)],
    0.96,
    { rim: 0.8 },
  );
  paintBirds(stage, 820, 280, 4, 11);
}
