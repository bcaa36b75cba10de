// Farms: a barn with its silo and wind pump, a mill over the fields, an orchard road.
import { person } from "../cast/people.ts";
import { fence } from "../cast/street.ts";
import { ellipse, limb, polygon, rectangle, shape } from "../outline.ts";
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
import { paint } from "../still.ts";
import { crown } from "../trees.ts";

const W = 1380;

export const FARM: readonly View[] = [
  { name: "barn", light: { x: 420, y: 560, radius: 54 }, paint: barn },
  { name: "mill", light: { x: 900, y: 500, radius: 42 }, paint: mill },
  { name: "tractor", light: { x: 640, y: 540, radius: 74 }, paint: tractor },
];

/** Ears of grain along the foot of the picture. */
function grain(stage: Stage, at: (x: number) => number, tall: number): string[] {
  const { chance } = stage;
  return Array.from({ length: 230 }, (_, i) => {
    const x = i * 6.1 + chance() * 5;
    const h = tall * (0.6 + chance() * 0.6);
    const lean = (chance() - 0.35) * h * 0.3;
    const y = at(x) + 8;
    return `${limb(
      [
        [x, y, 2],
        [x + lean * 0.4, y - h * 0.6, 1.8],
        [x + lean, y - h, 1.4],
      ],
      2,
    )}${ellipse(x + lean * 1.1, y - h - 6, 2.6, 9, (lean / h) * 60)}`;
  });
}

/** Furrows that run to the horizon below the light. */
function furrows(stage: Stage, y: number, foot: number): void {
  const { still, air } = stage;
  const { x } = still.sun;
  let d = "";
  for (let i = -26; i <= 26; i++)
    d += polygon([
      [x + i * 11, y],
      [x + i * 11 + 3, y],
      [x + i * 118 + 34, foot],
      [x + i * 118 - 10, foot],
    ]);
  paint(still, `<path d="${d}" fill="${air.tone(1)}" opacity=".32"/>`);
}

function trees(stage: Stage, at: (x: number) => number, list: readonly number[], size: number): string[] {
  return list.flatMap((x, i) => [
    ...crown(x, at(x) - size * 1.1, size * 0.8, size * 0.75, (stage.seed % 500) + i, 18),
    rectangle(x - size * 0.07, at(x) - size * 0.6, size * 0.14, size * 0.7),
  ]);
}

function barn(stage: Stage): void {
  const { still } = stage;
  const far = hills(stage, 1, { y: 606, rise: 16, stretch: 260, lift: (x) => 50 * swell(x, 1200, 420) });
  paintDepth(stage, [far.outline, ...trees(stage, far.at, [40, 90, 150, 640, 700, 1010, 1290, 1340], 30)], 0.05, {
    from: 500,
    to: 640,
  });
  paintMist(stage, 612, 120, 0.1);
  const field = hills(stage, 2, { y: 690, rise: 8, stretch: 300 });
  paintDepth(stage, [field.outline, ...trees(stage, field.at, [1300, 1370], 70)], 0.32, { from: 580, to: 730 });
  furrows(stage, 640, 862);
  paintMist(stage, 700, 100, 0.35);
  const yard = hills(stage, 3, { y: 752, rise: 6, stretch: 200 });
  const x = 900 + between(stage, -40, 40);
  const y = yard.at(x) + 8;
  const at = (text: string) => shape(text, x, y, 100);
  const pump: string[] = [];
  const px = 620;
  const py = yard.at(px) + 6;
  pump.push(
    limb(
      [
        [px - 44, py, 6],
        [px - 6, py - 330, 4],
      ],
      1,
    ),
    limb(
      [
        [px + 44, py, 6],
        [px + 6, py - 330, 4],
      ],
      1,
    ),
  );
  for (const k of [0.2, 0.42, 0.62, 0.8])
    pump.push(
      rectangle(px - 42 * (1 - k * 0.88), py - 330 * k, 84 * (1 - k * 0.88), 4),
      limb(
        [
          [px - 42 * (1 - k * 0.88), py - 330 * k, 3],
          [px + 42 * (1 - (k - 0.2) * 0.88), py - 330 * (k - 0.2), 3],
        ],
        1,
      ),
    );
  for (let i = 0; i < 14; i++) {
    const a = (i / 14) * Math.PI * 2;
    pump.push(
      polygon([
        [px + Math.cos(a) * 16, py - 340 + Math.sin(a) * 16],
        [px + Math.cos(a + 0.06) * 66, py - 340 + Math.sin(a + 0.06) * 66],
        [px + Math.cos(a + 0.3) * 66, py - 340 + Math.sin(a + 0.3) * 66],
      ]),
    );
  }
  pump.push(ellipse(px, py - 340, 10), shape("0,-.04 .8,-.04 1.3,-.3 1.3,.3 .8,.04 0,.04", px, py - 340, 76));
  paintDepth(
    stage,
    [
      yard.outline,
      at("-1.5,.1 -1.5,-1.2 -1.3,-1.9 0,-2.5 1.3,-1.9 1.5,-1.2 1.5,.1"),
      at("-1.62,-1.14 -1.42,-1.96 0,-2.6 1.42,-1.96 1.62,-1.14 1.5,-1.14 1.32,-1.86 0,-2.46 -1.32,-1.86 -1.5,-1.14"),
      at("1.4,.1 1.4,-.8 2.6,-.56 2.6,.1"),
      rectangle(x - 10, y - 300, 20, 50),
      shape("-.3,0 0,-.3 .3,0", x, y - 298, 60),
      rectangle(x + 300, y - 330, 92, 340),
      ellipse(x + 346, y - 330, 46, 40),
      ...[0.2, 0.4, 0.6, 0.8].map((k) => rectangle(x + 297, y - 330 * k, 98, 5)),
      ...pump,
      ...fence(-20, 560, yard.at(200) + 12, 50),
      ...fence(1240, W, yard.at(1300) + 12, 50),
    ],
    0.68,
    { from: 420, to: 800, rim: 1 },
  );
  // The door stands open and lit.
  paint(
    still,
    `<path d="${at("-.42,.08 -.42,-.9 .42,-.9 .42,.08")}" fill="#ffb25c" opacity=".85"/><path d="${at("-.42,-.9 .42,-.04 .36,-.0 -.42,-.8")}${at(".42,-.9 -.42,-.04 -.36,0 .42,-.8")}" fill="${stage.air.tone(1)}" opacity=".8"/>`,
  );
  paintPanes(stage, [[x, y - 160, 26]]);
  paintMist(stage, 790, 70, 0.6);
  const near = hills(stage, 5, { y: 862, rise: 8, stretch: 200, lift: (q) => 26 * swell(q, 200, 420) });
  paintDepth(stage, [near.outline, ...grain(stage, near.at, 70), ...person(330, near.at(330) + 10, 130, 1)], 1);
  paintBirds(stage, 480, 300, 8);
}

function mill(stage: Stage): void {
  const far = hills(stage, 1, { y: 600, rise: 26, stretch: 260, lift: (x) => 40 * swell(x, 1180, 300) });
  const small = (x: number, s: number) => [
    shape("-.3,.1 -.2,-1 .2,-1 .3,.1", x, far.at(x), s),
    shape("-.22,-.98 0,-1.26 .22,-.98", x, far.at(x), s),
    ...[0.5, 2.07, 3.64, 5.21].map((a) =>
      limb(
        [
          [x, far.at(x) - s, 3],
          [x + Math.cos(a) * s * 0.9, far.at(x) - s + Math.sin(a) * s * 0.9, 4],
        ],
        1,
      ),
    ),
  ];
  paintDepth(
    stage,
    [far.outline, ...small(1080, 50), ...small(1230, 62), ...trees(stage, far.at, [600, 640, 760, 1330], 22)],
    0.08,
    { from: 470, to: 640 },
  );
  paintMist(stage, 606, 130, 0.1);
  const field = hills(stage, 2, { y: 684, rise: 12, stretch: 260, lift: (x) => 30 * swell(x, 1200, 420) });
  paintDepth(stage, [field.outline, ...trees(stage, field.at, [1010, 1060, 1300], 46)], 0.32, { from: 570, to: 720 });
  furrows(stage, 650, 880);
  paintMist(stage, 690, 110, 0.35);
  const hill = hills(stage, 3, { y: 800, rise: 8, stretch: 200, lift: (x) => 110 * swell(x, 400, 560) });
  const x = 400 + between(stage, -40, 40);
  const y = hill.at(x) + 10;
  const [hx, hy] = [x, y - 380];
  const sails: string[] = [];
  const turn = between(stage, 0.3, 0.9);
  for (let i = 0; i < 4; i++) {
    const a = turn + (i * Math.PI) / 2;
    const [c, s] = [Math.cos(a), Math.sin(a)];
    const p = (along: number, off: number): readonly [number, number] => [
      hx + c * along - s * off,
      hy + s * along + c * off,
    ];
    sails.push(
      limb(
        [
          [...p(0, 0), 12],
          [...p(330, 0), 6],
        ],
        1,
      ),
    );
    for (const off of [18, 36, 54, 66])
      sails.push(
        limb(
          [
            [...p(60, off), 3],
            [...p(326, off), 3],
          ],
          1,
        ),
      );
    for (let k = 60; k <= 330; k += 27)
      sails.push(
        limb(
          [
            [...p(k, 0), 3],
            [...p(k, 67), 3],
          ],
          1,
        ),
      );
  }
  paintDepth(
    stage,
    [
      hill.outline,
      shape("-1.0,.1 -.62,-3.5 .62,-3.5 1.0,.1", x, y, 104),
      shape("-.66,-3.46 -.56,-3.9 0,-4.3 .56,-3.9 .7,-3.46", x, y, 104),
      rectangle(x - 150, y - 150, 300, 10),
      ...Array.from({ length: 16 }, (_, i) => rectangle(x - 150 + i * 19.6, y - 178, 3, 30)),
      rectangle(x - 150, y - 180, 300, 4),
      limb(
        [
          [x - 146, y - 146, 6],
          [x - 84, y - 60, 6],
        ],
        1,
      ),
      limb(
        [
          [x + 146, y - 146, 6],
          [x + 84, y - 60, 6],
        ],
        1,
      ),
      ellipse(hx, hy, 18),
      ...trees(stage, hill.at, [90, 690, 740], 74),
    ],
    0.68,
    { from: 300, to: 830, rim: 1 },
  );
  paintDepth(stage, sails, 0.76, { rim: 1 });
  paintPanes(stage, [
    [x - 30, y - 230, 15],
    [x + 30, y - 100, 16],
    [x - 20, y - 300, 12],
  ]);
  paintMist(stage, 812, 80, 0.65);
  const near = hills(stage, 5, { y: 860, rise: 8, stretch: 180, lift: (q) => 30 * swell(q, 1150, 480) });
  const bale = (bx: number, r: number) => ellipse(bx, near.at(bx) - r * 0.8, r, r);
  paintDepth(
    stage,
    [
      near.outline,
      bale(1000, 50),
      bale(1200, 64),
      bale(1290, 44),
      ...grain(stage, near.at, 40),
      ...person(880, near.at(880) + 8, 110, -1, "staff"),
    ],
    1,
    { rim: 1 },
  );
  paintBirds(stage, 900, 290, 7);
}

function tractor(stage: Stage): void {
  const { still } = stage;
  const far = hills(stage, 1, { y: 606, rise: 20, stretch: 260, lift: (x) => 60 * swell(x, 160, 420) });
  paintDepth(
    stage,
    [
      far.outline,
      ...trees(stage, far.at, [60, 110, 300, 980, 1020, 1090, 1260], 30),
      rectangle(380, far.at(400) - 60, 34, 70),
      ellipse(397, far.at(400) - 60, 17, 14),
      shape("-1,0 -1,-.8 0,-1.4 1,-.8 1,0", 460, far.at(460) + 4, 36),
    ],
    0.06,
    { from: 490, to: 640 },
  );
  paintMist(stage, 610, 130, 0.1);
  const field = hills(stage, 2, { y: 690, rise: 6, stretch: 300 });
  paintDepth(stage, [field.outline], 0.34, { from: 600, to: 740 });
  furrows(stage, 640, 880);
  paintMist(stage, 700, 90, 0.4);
  const x = 860 + between(stage, -60, 60);
  const y = 776;
  const at = (text: string) => shape(text, x, y, 120);
  const wheel = (wx: number, r: number) => [
    ellipse(x + wx, y - r, r),
    ...Array.from({ length: 18 }, (_, i) => {
      const a = (i / 18) * Math.PI * 2;
      return ellipse(x + wx + Math.cos(a) * r, y - r + Math.sin(a) * r, r * 0.09);
    }),
  ];
  const machine = [
    ...wheel(70, 96),
    ...wheel(-128, 54),
    at("-1.5,-.5 -1.5,-1.1 -.1,-1.24 .1,-.5"),
    at("-.1,-1.1 -.06,-2.1 .9,-2.1 1.06,-1.1 .9,-.7 0,-.7"),
    at("-.2,-2.06 -.14,-2.2 1.0,-2.2 1.06,-2.06"),
    rectangle(x - 130, y - 190, 9, 70),
    at("1.0,-.7 2.4,-.4 2.4,-.3 1.0,-.5"),
    at("2.2,-.1 2.2,-.9 3.9,-.9 3.7,-.1"),
    ...Array.from({ length: 9 }, (_, i) =>
      limb(
        [
          [x + 270 + i * 22, y - 20, 4],
          [x + 262 + i * 22, y + 20, 3],
        ],
        1,
      ),
    ),
  ];
  paintDepth(stage, [rectangle(-20, y - 4, W + 40, 12), ...machine], 0.8, { from: 500, to: 830, rim: 1 });
  paint(
    still,
    `<path d="${at("0,-1.2 .04,-1.98 .42,-1.98 .42,-1.2")}${at(".5,-1.2 .5,-1.98 .82,-1.98 .94,-1.2")}" fill="${stage.air.haze(0.1)}" opacity=".55"/>`,
  );
  paintPanes(stage, [[x - 178, y - 112, 13]]);
  paintBirds(stage, x + 330, 620, 12, 9);
  const near = hills(stage, 5, { y: 850, rise: 8, stretch: 200, lift: (q) => 40 * swell(q, 200, 460) });
  paintDepth(stage, [near.outline, ...grain(stage, near.at, 88)], 1, { rim: 0.9 });
  paintMotes(stage, "#ffc27a", 110);
}
