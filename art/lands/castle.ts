// Castles: towers on a rock above the lake, a gate with its bridge and banners, a wall under siege.
import { person } from "../cast/people.ts";
import { paintSmoke } from "../cast/smoke-and-searchlight.ts";
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
  paintWater,
  type Stage,
  type View,
} from "../stage.ts";
import { paint, round } from "../still.ts";
import { branches, wood } from "../trees.ts";

const W = 1380;

export const CASTLE: readonly View[] = [
  { name: "lake", light: { x: 360, y: 500, radius: 38 }, paint: lake },
  { name: "gate", light: { x: 690, y: 380, radius: 66 }, paint: gate },
  { name: "siege", light: { x: 460, y: 540, radius: 50 }, paint: siege },
];

/** A round tower; `roof` 0 is a crown of merlons. */
function tower(x: number, foot: number, wide: number, tall: number, roof: number): string[] {
  const top = foot - tall;
  const out = [
    rectangle(x - wide / 2, top, wide, tall + 30),
    polygon([
      [x - wide * 0.5, top + wide * 0.34],
      [x - wide * 0.64, top],
      [x + wide * 0.64, top],
      [x + wide * 0.5, top + wide * 0.34],
    ]),
  ];
  if (roof > 0)
    out.push(
      polygon([
        [x - wide * 0.72, top + 1],
        [x, top - roof],
        [x + wide * 0.72, top + 1],
      ]),
      limb(
        [
          [x, top - roof + 6, 3],
          [x, top - roof - 30, 1.6],
        ],
        1,
      ),
      shape("0,0 .6,.12 1.1,.02 .9,.26 1.0,.42 .5,.42 0,.32", x, top - roof - 30, 30),
    );
  else
    for (let i = 0; i < 4; i++)
      out.push(rectangle(x - wide * 0.64 + i * wide * 0.36, top - wide * 0.2, wide * 0.2, wide * 0.22));
  return out;
}

/** A wall with merlons. */
function rampart(x: number, y: number, wide: number, tall: number, tooth: number): string[] {
  const out = [
    rectangle(x, y - tall, wide, tall + 40),
    rectangle(x - 3, y - tall - tooth * 0.2, wide + 6, tooth * 0.4),
  ];
  for (let a = x; a < x + wide - tooth * 0.5; a += tooth * 1.7)
    out.push(rectangle(a, y - tall - tooth, tooth, tooth + 2));
  return out;
}

function lake(stage: Stage): void {
  const { seed, chance } = stage;
  const far = hills(stage, 1, {
    y: 604,
    rise: 24,
    stretch: 180,
    roughness: 0.55,
    lift: (x) => 170 * swell(x, 80, 330) + 80 * swell(x, 560, 260) + 130 * swell(x, 1340, 330),
  });
  paintDepth(stage, [far.outline], 0.07, { from: 400, to: 640 });
  paintMist(stage, 606, 150, 0.1);
  const shore = hills(stage, 2, { y: 648, rise: 10, stretch: 120, lift: (x) => 26 * swell(x, 200, 300) });
  paintDepth(stage, [shore.outline, ...wood(shore, { seed, from: 0, to: 640, gap: 9, height: 54 })], 0.3, {
    from: 540,
    to: 680,
  });
  paintMist(stage, 656, 90, 0.3);
  paintWater(stage, 668);
  const cx = 930 + between(stage, -40, 40);
  const rock = hills(stage, 3, {
    y: 760,
    rise: 26,
    stretch: 50,
    roughness: 0.62,
    lift: (x) => 200 * Math.max(0, 1 - (Math.abs(x - cx) / 430) ** 2.6) - 20,
  });
  const foot = 566;
  const parts = [
    ...rampart(cx - 290, foot + 40, 580, 96, 20),
    ...tower(cx - 290, foot + 40, 66, 170, 84),
    ...tower(cx + 290, foot + 40, 66, 150, 80),
    ...tower(cx - 140, foot + 30, 50, 160, 0),
    ...tower(cx + 160, foot + 30, 54, 180, 0),
    rectangle(cx - 120, foot - 170, 250, 220),
    polygon([
      [cx - 136, foot - 168],
      [cx - 90, foot - 240],
      [cx + 100, foot - 240],
      [cx + 146, foot - 168],
    ]),
    ...tower(cx - 116, foot, 56, 270, 118),
    ...tower(cx + 126, foot, 48, 230, 104),
    ...tower(cx + 20, foot, 74, 360, 150),
    ...tower(cx - 50, foot, 36, 310, 92),
    ...tower(cx + 82, foot, 30, 290, 80),
    ...tower(cx - 206, foot, 40, 150, 70),
    ...tower(cx + 222, foot, 40, 190, 78),
  ];
  const clipY = 792;
  paintDepth(stage, [...parts], 0.6, { from: 160, to: 640, rim: 1 });
  paintDepth(stage, [rock.outline], 0.66, { from: 520, to: clipY, rim: 0.8 });
  const lights: [number, number, number][] = [];
  for (const [dx, dy] of [
    [-116, 220],
    [-116, 160],
    [126, 190],
    [20, 310],
    [20, 250],
    [20, 190],
    [-50, 270],
    [82, 246],
    [-206, 110],
    [222, 150],
    [-290, 90],
    [290, 80],
    [-60, 110],
    [-20, 110],
    [60, 110],
    [100, 110],
    [-60, 60],
    [60, 60],
    [-200, 6],
    [200, 6],
  ] as const)
    if (chance() < 0.8) lights.push([cx + dx, foot - dy, 9]);
  paintPanes(stage, lights);
  paintMist(stage, 770, 120, 0.6);
  const near = hills(stage, 5, {
    y: 852,
    rise: 14,
    stretch: 120,
    lift: (x) => 90 * swell(x, -20, 420) + 40 * swell(x, 1400, 260),
  });
  paintDepth(
    stage,
    [
      near.outline,
      ...branches(150, 800, -1.3, 210, 40, 6, chance, 0.5),
      ...person(420, near.at(420) + 4, 82, 1, "staff"),
    ],
    1,
  );
  paintBirds(stage, cx - 320, 260, 9);
}

function gate(stage: Stage): void {
  const { still, air, chance } = stage;
  const far = hills(stage, 1, {
    y: 600,
    rise: 50,
    stretch: 160,
    roughness: 0.56,
    lift: (x) => 60 * swell(x, 690, 400),
  });
  paintDepth(
    stage,
    [far.outline, ...tower(640, 560, 30, 120, 50), ...tower(730, 566, 34, 150, 60), ...tower(686, 560, 24, 190, 54)],
    0.12,
    { from: 400, to: 640 },
  );
  paintMist(stage, 610, 150, 0.15);
  const foot = 730;
  // Two drum towers and the arch between them.
  const parts = [
    ...tower(400, foot, 190, 470, 0),
    ...tower(980, foot, 190, 470, 0),
    ...tower(400, foot - 470, 96, 100, 120),
    ...tower(980, foot - 470, 96, 100, 120),
    ...rampart(-30, foot, 380, 250, 34),
    ...rampart(1040, foot, 380, 250, 34),
    ...tower(90, foot, 120, 340, 0),
    ...tower(1290, foot, 120, 340, 0),
  ];
  const bridgeOver = [
    rectangle(480, 300, 420, 92),
    ...Array.from({ length: 8 }, (_, i) => rectangle(486 + i * 54, 270, 32, 34)),
  ];
  const vault = `M480,390H900V${foot}H840V560A150,150 0 0 0 540,560V${foot}H480Z`;
  paintDepth(stage, [...parts, ...bridgeOver], 0.6, { from: 200, to: 760, rim: 1 });
  paint(
    still,
    `<path d="${vault}" fill="${air.tone(0.62)}"/><path d="M540,${foot}V560A150,150 0 0 1 840,560V${foot}" fill="none" stroke="#ff9a3c" stroke-width="4" opacity=".6"/>`,
  );
  const teeth = Array.from(
    { length: 9 },
    (_, i) =>
      `${rectangle(556 + i * 32, 400, 7, 110)}${polygon([
        [553 + i * 32, 508],
        [566 + i * 32, 508],
        [559.5 + i * 32, 530],
      ])}`,
  );
  paintDepth(stage, [...teeth, rectangle(546, 440, 290, 7), rectangle(546, 480, 290, 7)], 0.72, { rim: 1 });
  for (const x of [330, 470, 910, 1050])
    paintDepth(stage, [shape("0,0 1,0 1,3.4 .5,2.9 0,3.4", x - 26, 340, 52)], 0.46, {
      from: 320,
      to: 560,
      rim: 0.8,
      bleed: 0.5,
    });
  paintPanes(stage, [
    [400, 420, 13],
    [980, 420, 13],
    [400, 300, 11],
    [980, 300, 11],
    [90, 520, 11],
    [1290, 520, 11],
    [520, 640, 14],
    [860, 640, 14],
  ]);
  const road = round(
    still,
    690,
    foot,
    430,
    [
      [0, "#ffb35c", 0.85],
      [0.4, "#ff8000", 0.28],
      [1, "#ff8000", 0],
    ],
    1.1,
  );
  paint(
    still,
    `<path d="${polygon([
      [540, foot - 4],
      [840, foot - 4],
      [1060, 870],
      [320, 870],
    ])}" fill="${air.tone(0.6)}"/><path d="${polygon([
      [540, foot - 4],
      [840, foot - 4],
      [1060, 870],
      [320, 870],
    ])}" fill="${road}"/>`,
  );
  const planks = Array.from({ length: 9 }, (_, i) => {
    const y = foot + i * i * 1.9 + i * 2;
    const k = (y - foot) / 140;
    return rectangle(540 - 220 * k, y, 300 + 440 * k, 2 + k * 3);
  });
  paint(still, `<path d="${planks.join("")}" fill="${air.tone(1)}" opacity=".5"/>`);
  const riders = [
    ...person(640, 790, 150, 1, "cloak"),
    ...person(742, 800, 154, -1, "staff"),
    ...person(690, 752, 84, 1, "staff"),
  ];
  paintMist(stage, 760, 90, 0.5);
  paintDepth(stage, riders, 0.92, { rim: 1 });
  paintDepth(
    stage,
    [
      polygon([
        [-20, 800],
        [330, 836],
        [300, 880],
        [-20, 880],
      ]),
      polygon([
        [W + 20, 800],
        [1050, 836],
        [1080, 880],
        [W + 20, 880],
      ]),
      ...[40, 150, 260].flatMap((x) => [rectangle(x, 740 + x * 0.1, 12, 120), ellipse(x + 6, 738 + x * 0.1, 13)]),
      ...[1120, 1230, 1340].flatMap((x) => [
        rectangle(x, 766 - (x - 1120) * 0.1, 12, 120),
        ellipse(x + 6, 764 - (x - 1120) * 0.1, 13),
      ]),
    ],
    1,
  );
  paintMotes(stage, "#ffc27a", 60 + Math.floor(chance() * 30));
}

function siege(stage: Stage): void {
  const { still, seed, air, chance } = stage;
  const far = hills(stage, 1, { y: 612, rise: 24, stretch: 180, lift: (x) => 60 * swell(x, 120, 330) });
  paintDepth(stage, [far.outline], 0.05, { from: 500, to: 640 });
  const foot = 680;
  const hill = hills(stage, 2, { y: 700, rise: 10, stretch: 150, lift: (x) => 60 * swell(x, 1050, 620) });
  paintSmoke(still, 960, 440, 0.7, seed % 79, air.tone(0.4), 0.75);
  paintSmoke(still, 1220, 420, 0.9, seed % 73, air.tone(0.4), 0.75);
  paintDepth(
    stage,
    [
      ...rampart(700, foot, 720, 150, 22),
      ...tower(720, foot, 84, 220, 0),
      ...tower(960, foot, 76, 230, 0),
      ...tower(1230, foot, 92, 270, 0),
      rectangle(1030, foot - 330, 150, 300),
      ...rampart(1030, foot - 300, 150, 40, 20),
      ...tower(1140, foot - 300, 40, 110, 60),
      hill.outline,
    ],
    0.44,
    { from: 300, to: 740, rim: 0.9 },
  );
  const fires: [number, number, number][] = [
    [960, foot - 236, 18],
    [1220, foot - 282, 20],
    [840, foot - 70, 9],
    [1100, foot - 240, 9],
    [1080, foot - 200, 9],
  ];
  paintPanes(stage, fires);
  paintMist(stage, 704, 120, 0.45);
  // Tents and engines of the camp.
  const camp = hills(stage, 3, { y: 790, rise: 10, stretch: 150, lift: (x) => 40 * swell(x, 220, 460) });
  const tent = (x: number, s: number) => [
    shape("-1,.1 -.7,-.7 0,-1.5 .7,-.7 1,.1", x, camp.at(x), s),
    limb(
      [
        [x, camp.at(x) - 1.4 * s, 3],
        [x, camp.at(x) - 2 * s, 2],
      ],
      1,
    ),
    shape("0,0 .8,.14 0,.34", x, camp.at(x) - 2 * s, 30),
  ];
  const trebuchet = (x: number, s: number) => {
    const y = camp.at(x) + 4;
    const bar = (ax: number, ay: number, bx: number, by: number, w: number) =>
      limb(
        [
          [x + ax * s, y + ay * s, w * s],
          [x + bx * s, y + by * s, w * s],
        ],
        1,
      );
    return [
      bar(-1, 0, 0, -1.9, 0.11),
      bar(1, 0, 0, -1.9, 0.11),
      bar(-1.2, -0.04, 1.3, -0.04, 0.12),
      bar(-0.5, -0.95, 0.5, -0.95, 0.08),
      bar(-1.1, -1.0, 1.9, -3.1, 0.12),
      polygon([
        [x - 1.5 * s, y - 1.1 * s],
        [x - 0.8 * s, y - 1.3 * s],
        [x - 0.7 * s, y - 0.6 * s],
        [x - 1.4 * s, y - 0.5 * s],
      ]),
      bar(1.88, -3.1, 2.2, -2.1, 0.03),
      ellipse(x + 2.2 * s, y - 2.0 * s, 0.16 * s),
    ];
  };
  paintDepth(
    stage,
    [camp.outline, ...tent(90, 84), ...tent(230, 66), ...tent(340, 50), ...trebuchet(560, 96), ...trebuchet(860, 66)],
    0.74,
    { from: 440, to: 830, rim: 1 },
  );
  paintMist(stage, 812, 80, 0.7);
  const spears = Array.from({ length: 46 }, (_, i) => {
    const x = 640 + i * 17 + chance() * 8;
    const y = 868;
    return [
      ...person(x, y, 74 + chance() * 14, 1),
      limb(
        [
          [x + 14, y, 2.6],
          [x + 18 + chance() * 8, y - 150 - chance() * 50, 1.8],
        ],
        1,
      ),
    ];
  }).flat();
  const flags = [760, 980, 1210].flatMap((x) => [
    rectangle(x, 640, 5, 220),
    shape("0,0 .9,.1 .6,.34 .9,.6 0,.7", x + 5, 644, 70),
  ]);
  paintDepth(stage, [...spears, ...flags, rectangle(-20, 848, W + 40, 30)], 1, { rim: 0.8 });
  paintMotes(stage, "#ff9a3c", 120);
}
