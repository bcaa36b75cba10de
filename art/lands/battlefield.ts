// Battlefields: a tank on the ridge, trenches under flares, a beach with landing craft.
import { hedgehog } from "../cast/fortress.ts";
import { person } from "../cast/people.ts";
import { paintSearchlight, paintSmoke } from "../cast/smoke-and-searchlight.ts";
import { ellipse, limb, polygon, rectangle, shape } from "../outline.ts";
import { swell } from "../ridge.ts";
import { between, hills, paintDepth, paintMist, paintMotes, paintWater, type Stage, type View } from "../stage.ts";
import { paint, round } from "../still.ts";
import { branches } from "../trees.ts";

const W = 1380;

export const BATTLEFIELD: readonly View[] = [
  { name: "tank", light: { x: 950, y: 520, radius: 58 }, paint: tank },
  { name: "trench", light: { x: 560, y: 560, radius: 34 }, paint: trench },
  { name: "beach", light: { x: 420, y: 540, radius: 46 }, paint: beach },
];

/** A tank that aims to the right; `s` is a tenth of its length. */
function armour(x: number, y: number, s: number): string[] {
  const at = (text: string) => shape(text, x, y, s);
  return [
    at("-4.6,-.3 -4.2,-1.5 -3.4,-1.8 3.6,-1.8 4.6,-1.2 4.7,-.6 4.1,.1 3.4,.3 -3.7,.3 -4.3,.1"),
    at("-4.2,-1.7 -3.6,-2.5 2.6,-2.5 4.2,-1.7"),
    at("-1.9,-2.4 -2.1,-3.3 -1.5,-4.0 .8,-4.1 1.9,-3.5 2.1,-2.5"),
    limb(
      [
        [x + 1.7 * s, y - 3.25 * s, 0.5 * s],
        [x + 4 * s, y - 3.5 * s, 0.36 * s],
        [x + 7.2 * s, y - 3.9 * s, 0.3 * s],
      ],
      2,
    ),
    limb(
      [
        [x + 6.7 * s, y - 3.84 * s, 0.5 * s],
        [x + 7.4 * s, y - 3.92 * s, 0.5 * s],
      ],
      1,
    ),
    at("-1.2,-4.0 -1.1,-4.4 -.1,-4.4 0,-4.0"),
    limb(
      [
        [x - 1.7 * s, y - 3.8 * s, 0.08 * s],
        [x - 2.3 * s, y - 7 * s, 0.04 * s],
      ],
      1,
    ),
    at("-3.4,-2.4 -3.3,-2.9 -2.3,-2.9 -2.2,-2.4"),
  ];
}

function plane(x: number, y: number, s: number): string[] {
  const at = (text: string) => shape(text, x, y, s);
  return [
    at("-1.6,0 -1.2,-.14 .8,-.2 1.4,-.04 1.5,.06 .8,.16 -1.2,.1"),
    at("-.1,0 .5,-.02 1.0,.8 .7,.84"),
    at("0,-.06 .4,-.1 .2,-.8 .04,-.8"),
    at("-1.5,-.02 -1.8,-.5 -1.5,-.5 -1.1,-.06"),
  ];
}

function tank(stage: Stage): void {
  const { still, seed, air } = stage;
  const far = hills(stage, 1, {
    y: 610,
    rise: 30,
    stretch: 160,
    roughness: 0.56,
    lift: (x) => 50 * swell(x, 260, 300),
  });
  const town = Array.from({ length: 18 }, (_, i) => {
    const x = 1010 + i * 22;
    return shape("-.5,.4 -.5,-.9 -.2,-.7 0,-1.1 .3,-.6 .5,-.8 .5,.4", x, far.at(x), 18 + ((i * 7) % 5) * 8);
  });
  paintDepth(stage, [far.outline, ...town], 0.05, { from: 470, to: 650 });
  paintSmoke(still, 1130, 590, 0.5, seed % 77, air.tone(0.3), 0.65);
  paintSmoke(still, 230, 590, 0.62, seed % 67, air.tone(0.3), 0.7);
  paintMist(stage, 612, 150, 0.1);
  const middle = hills(stage, 2, { y: 690, rise: 20, stretch: 120, roughness: 0.56 });
  paintDepth(
    stage,
    [middle.outline, ...armour(1090, middle.at(1090), 13), ...armour(880, middle.at(880) + 2, 10)],
    0.32,
    { from: 560, to: 730 },
  );
  paintMist(stage, 700, 120, 0.4);
  const hill = hills(stage, 3, {
    y: 800,
    rise: 12,
    stretch: 150,
    roughness: 0.56,
    lift: (x) => 90 * swell(x, 480, 620),
  });
  const x = 450 + between(stage, -40, 40);
  paintDepth(
    stage,
    [
      hill.outline,
      ...armour(x, hill.at(x) + 4, 44),
      ...person(x + 280, hill.at(x + 280) + 3, 92, 1, "rifle"),
      ...person(x + 350, hill.at(x + 350) + 3, 90, 1, "rifle"),
      ...person(x - 300, hill.at(x - 300) + 3, 92, 1, "rifle"),
    ],
    0.76,
    { from: 480, to: 840, rim: 1 },
  );
  paintDepth(stage, [...plane(760, 190, 46), ...plane(880, 240, 34), ...plane(700, 270, 26)], 0.6, { rim: 1 });
  paintMist(stage, 822, 80, 0.8);
  const near = hills(stage, 4, { y: 858, rise: 12, stretch: 90, roughness: 0.58 });
  paintDepth(
    stage,
    [near.outline, ...[150, 520, 900, 1210].flatMap((px, i) => hedgehog(px, near.at(px) + 6, 44 + (i % 2) * 14))],
    1,
  );
  wire(stage, near.at);
  paintMotes(stage, "#ff9a3c", 90);
}

function wire(stage: Stage, at: (x: number) => number): void {
  let coils = "";
  for (let x = 0; x < W; x += 15) coils += `<ellipse cx="${x}" cy="${(at(x) - 9).toFixed(1)}" rx="13" ry="17"/>`;
  paint(stage.still, `<g fill="none" stroke="${stage.air.tone(1)}" stroke-width="1.3" opacity=".85">${coils}</g>`);
}

function trench(stage: Stage): void {
  const { still, chance, seed, air } = stage;
  const flare = (x: number, y: number, r: number) => {
    const fill = round(still, x, y, r, [
      [0, "#fff4e0", 0.95],
      [0.05, "#ffe0b0", 0.6],
      [0.3, "#ff9430", 0.14],
      [1, "#ff8000", 0],
    ]);
    paint(still, `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"/>`);
  };
  flare(930, 190, 260);
  flare(1150, 300, 150);
  const far = hills(stage, 1, { y: 636, rise: 18, stretch: 120, roughness: 0.58 });
  const stumps = (y: (x: number) => number, list: readonly number[], size: number) =>
    list.flatMap((x) =>
      branches(
        x,
        y(x) + 6,
        -Math.PI / 2 + (chance() - 0.5) * 0.3,
        size * (0.6 + chance() * 0.6),
        size * 0.16,
        2,
        chance,
        0.5,
      ),
    );
  paintDepth(stage, [far.outline, ...stumps(far.at, [120, 210, 330, 480, 700, 790, 940, 1080, 1190, 1300], 60)], 0.1, {
    from: 480,
    to: 660,
  });
  paintSmoke(still, 300, 630, 0.6, seed % 59, air.tone(0.3), 0.6);
  paintMist(stage, 640, 150, 0.2);
  const middle = hills(stage, 2, { y: 706, rise: 16, stretch: 90, roughness: 0.6 });
  paintDepth(
    stage,
    [
      middle.outline,
      ...stumps(middle.at, [60, 420, 900, 1250], 130),
      ...[240, 640, 760, 1090].flatMap((x) => hedgehog(x, middle.at(x) + 4, 26)),
    ],
    0.4,
    { from: 520, to: 750 },
  );
  paintMist(stage, 716, 120, 0.45);
  // The parapet: bags in courses, bayonets above it.
  const bags: string[] = [];
  const lip = (x: number) => 752 + 12 * Math.sin(x / 130) + (x > 600 && x < 800 ? 40 : 0);
  for (let row = 0; row < 5; row++)
    for (let x = -20 + (row % 2) * 22; x < W + 40; x += 45)
      bags.push(ellipse(x, lip(x) + row * 21, 25, 13, (chance() - 0.5) * 10));
  const men = [90, 190, 300, 430, 880, 1000, 1110, 1260].flatMap((x, i) =>
    person(x, lip(x) + 74, 134 - (i % 3) * 8, i % 4 === 0 ? -1 : 1, "rifle"),
  );
  const leader = person(700, lip(700) + 12, 136, 1, "rifle");
  paintDepth(stage, [...men, ...leader], 0.78, { from: 560, to: 860, rim: 1 });
  paintDepth(
    stage,
    [
      ...bags,
      rectangle(-20, 800, W + 40, 80),
      ...[40, 250, 470, 660, 770, 930, 1180].map((x) => rectangle(x, 744, 14, 130)),
      ...stumps(() => 840, [560], 200),
    ],
    0.95,
    { rim: 1 },
  );
  paintMotes(stage, "#ffb35c", 110);
}

function beach(stage: Stage): void {
  const { still, chance, seed, air } = stage;
  paintSearchlight(still, 1180, 470, -2.4, 800, 0.3);
  paintWater(stage, 606);
  const ships = [780, 900, 1010].flatMap((x, i) => {
    const s = 26 - i * 5;
    return [
      shape("-3,-.4 3,-.6 2.6,.4 -2.6,.4", x, 606, s),
      shape("-1.4,-.4 -1.4,-1.4 -.8,-1.4 -.8,-1.9 .2,-1.9 .2,-1.2 1,-1.2 1,-.4", x, 606, s),
      rectangle(x - 0.3 * s, 606 - 3.4 * s, 2, 1.8 * s),
    ];
  });
  paintDepth(stage, ships, 0.14, { from: 520, to: 620 });
  paintSmoke(still, 800, 590, 0.34, seed % 53, air.tone(0.2), 0.6);
  paintMist(stage, 606, 110, 0.15);
  const cliff = hills(stage, 2, {
    y: 740,
    rise: 22,
    stretch: 70,
    roughness: 0.58,
    lift: (x) => (x > 900 ? 270 * Math.min(1, (x - 900) / 150) + (x - 900) * 0.1 : 0) - 60,
  });
  const bunker = (x: number, s: number) => [
    shape("-2,.6 -1.7,-1 1.4,-1 1.9,.6", x, cliff.at(x), s),
    shape("-2.1,-.9 -1.8,-1.4 1.5,-1.4 1.7,-.9", x, cliff.at(x), s),
    limb(
      [
        [x - 1.4 * s, cliff.at(x) - 0.5 * s, 0.24 * s],
        [x - 3.4 * s, cliff.at(x) - 0.3 * s, 0.16 * s],
      ],
      1,
    ),
  ];
  paintDepth(stage, [cliff.outline, ...bunker(1130, 40), ...bunker(1310, 30)], 0.5, { from: 380, to: 780 });
  const flash = round(still, 990, cliff.at(1130) - 12, 90, [
    [0, "#fff0cf", 1],
    [0.2, "#ffb35c", 0.6],
    [1, "#ff8000", 0],
  ]);
  paint(still, `<circle cx="990" cy="${cliff.at(1130) - 12}" r="90" fill="${flash}"/>`);
  paintMist(stage, 720, 110, 0.5);
  const craft = (x: number, y: number, s: number) => [
    shape("-2.2,-.9 2,-.7 1.6,.3 -2,.3", x, y, s),
    shape("2,-.7 2.9,.4 2.6,.5 1.5,.2", x, y, s),
    shape("-2.1,-.8 -2.1,-1.6 -1.3,-1.6 -1.2,-.8", x, y, s),
    limb(
      [
        [x - 1.8 * s, y - 1.5 * s, 2],
        [x - 1.8 * s, y - 2.7 * s, 1],
      ],
      1,
    ),
  ];
  paintDepth(stage, [...craft(230, 716, 44), ...craft(560, 688, 26)], 0.66, { from: 560, to: 760, rim: 1 });
  const sand = hills(stage, 4, { y: 812, rise: 10, stretch: 170, lift: (x) => 30 * swell(x, 1200, 520) });
  const men = [380, 450, 520, 640, 720, 850].flatMap((x, i) => person(x, sand.at(x) + 4, 84 + (i % 3) * 7, 1, "rifle"));
  paintDepth(
    stage,
    [
      sand.outline,
      ...men,
      ...[170, 590, 950, 1120, 1290].flatMap((x, i) => hedgehog(x, sand.at(x) + 10, 66 + (i % 2) * 30)),
    ],
    0.95,
    { rim: 1 },
  );
  paintMotes(stage, "#ff9a3c", 70 + Math.floor(chance() * 30));
  const near = polygon([
    [-20, 866],
    [W + 20, 866],
    [W + 20, 850],
    [-20, 846],
  ]);
  paintDepth(stage, [near], 1);
}
