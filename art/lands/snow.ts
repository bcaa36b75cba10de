// Snow: a station under its masts, an expedition on the ice, a lodge among laden spruces.
import { crag } from "../cast/crags.ts";
import { person } from "../cast/people.ts";
import { paintSmoke } from "../cast/smoke-and-searchlight.ts";
import { ellipse, limb, limbAt, polygon, rectangle, shape } from "../outline.ts";
import { swell } from "../ridge.ts";
import { between, hills, paintDepth, paintMist, paintMotes, paintPanes, type Stage, type View } from "../stage.ts";
import { blur, paint, vertical } from "../still.ts";
import { wood } from "../trees.ts";

const W = 1380;

export const SNOW: readonly View[] = [
  { name: "station", light: { x: 380, y: 540, radius: 32 }, paint: station },
  { name: "expedition", light: { x: 1010, y: 520, radius: 44 }, paint: expedition },
  { name: "lodge", light: { x: 930, y: 470, radius: 26 }, paint: lodge },
];

/** A field of snow: pale where the light lies on it, dark at the foot. */
function field(stage: Stage, key: number, y: number, lift: (x: number) => number, depth: number) {
  const { still, air } = stage;
  const line = hills(stage, key, { y, rise: 9, stretch: 260, octaves: 4, lift });
  const fill = vertical(still, y - 60, y + 150, [
    [0, air.fog(depth * 0.5)],
    [0.35, air.tone(0.3 + depth * 0.1)],
    [1, air.tone(0.5 + depth * 0.45)],
  ]);
  return {
    at: line.at,
    paint: () => {
      paintDepth(stage, [line.outline], depth, { rim: 0.9, from: y - 20, to: y + 200 });
      paint(still, `<path d="${line.outline}" fill="${fill}" opacity=".82"/>`);
    },
  };
}

/** Curtains of light over the snow, at night. */
function aurora(stage: Stage): void {
  if (stage.time !== "night") return;
  const { still, air, chance } = stage;
  for (let i = 0; i < 3; i++) {
    const [x, y] = [100 + i * 380 + chance() * 160, 110 + chance() * 70];
    const fill = vertical(still, y - 60, y + 260, [
      [0, air.fog(0), 0],
      [0.35, air.fog(0), 0.4],
      [1, air.fog(0), 0],
    ]);
    const d = `M${x},${y}C${x + 140},${y - 90} ${x + 300},${y + 100} ${x + 470},${y - 20}L${x + 500},${y + 240}C${x + 320},${y + 300} ${x + 150},${y + 130} ${x + 20},${y + 260}Z`;
    paint(
      still,
      `<g style="mix-blend-mode:screen"><path d="${d}" fill="${fill}" filter="${blur(still, 16, 16, { x: x - 60, y: y - 150, width: 640, height: 520 })}"/></g>`,
    );
  }
}

function peaks(stage: Stage, y: number, list: readonly (readonly [number, number, number])[], depth: number): void {
  const { still, air, seed } = stage;
  crag(still, {
    seed: seed % 887,
    y,
    peaks: list,
    tone: air.tone(depth),
    snow: air.fog(0),
    haze: air.haze(depth * 0.6),
    foot: y + 50,
    strength: 0.7,
    bleed: 0.3,
  });
}

function station(stage: Stage): void {
  aurora(stage);
  peaks(
    stage,
    610,
    [
      [0.86, 0.3, 0.26],
      [0.64, 0.2, 0.2],
      [0.1, 0.16, 0.2],
    ],
    0.16,
  );
  paintMist(stage, 610, 180, 0.1);
  const plain = field(stage, 2, 690, (x) => 26 * swell(x, 880, 520), 0.4);
  plain.paint();
  const x = 840 + between(stage, -40, 40);
  const y = plain.at(x) + 6;
  const dome = (off: number, r: number) => [
    polygon(
      Array.from(
        { length: 21 },
        (_, i) => [x + off - Math.cos((i / 20) * Math.PI) * r, y - Math.sin((i / 20) * Math.PI) * r * 0.92] as const,
      ),
    ),
  ];
  const legs = (off: number, wide: number) => [
    rectangle(x + off, y - 92, wide, 50),
    ...[0.08, 0.36, 0.64, 0.92].flatMap((k) => [
      limb(
        [
          [x + off + wide * k - 10, y + 6, 5],
          [x + off + wide * k, y - 44, 5],
        ],
        1,
      ),
      limb(
        [
          [x + off + wide * k + 10, y + 6, 5],
          [x + off + wide * k, y - 44, 5],
        ],
        1,
      ),
    ]),
  ];
  const mast = (off: number, tall: number) => [
    limb(
      [
        [x + off, y, 6],
        [x + off, y - tall, 2.4],
      ],
      1,
    ),
    ...[0.35, 0.6, 0.82].map((k) => rectangle(x + off - 16 * (1.2 - k), y - tall * k, 32 * (1.2 - k), 3)),
    limb(
      [
        [x + off, y - tall * 0.86, 1.6],
        [x + off + tall * 0.34, y, 1.6],
      ],
      1,
    ),
    limb(
      [
        [x + off, y - tall * 0.86, 1.6],
        [x + off - tall * 0.34, y, 1.6],
      ],
      1,
    ),
  ];
  paintDepth(
    stage,
    [
      ...dome(-190, 84),
      ...dome(228, 58),
      ...legs(-80, 250),
      rectangle(x - 30, y - 128, 90, 40),
      ...mast(-290, 330),
      ...mast(330, 210),
      limbAt("0,0,.1 0,-1,.08", x + 120, y - 90, 60),
      shape("-.9,-1.5 -.5,-.96 .1,-.7 .5,-.74 .1,-1.1 -.3,-1.36", x + 120, y - 90, 60),
    ],
    0.66,
    { from: 330, to: 740, rim: 1 },
  );
  paintPanes(stage, [
    ...[-60, -30, 0, 30, 60, 90, 120, 146].map((off) => [x + off, y - 70, 10] as const),
    [x - 190, y - 34, 12],
    [x + 228, y - 26, 10],
    [x - 290, y - 334, 6],
  ]);
  paintMist(stage, 726, 90, 0.5);
  const fore = field(stage, 4, 812, (px) => 40 * swell(px, 200, 420), 0.8);
  fore.paint();
  paintDepth(
    stage,
    [...person(360, fore.at(360) + 4, 92, 1), ...person(300, fore.at(300) + 4, 88, 1), ...flags(fore.at)],
    0.95,
    { rim: 1 },
  );
  paintMotes(stage, "#f1e9e2", 260);
}

function flags(at: (x: number) => number): string[] {
  return [470, 560, 640, 712, 776].flatMap((x, i) => {
    const s = 1 - i * 0.15;
    return [rectangle(x, at(x) - 70 * s, 3 * s, 74 * s), shape("0,-70 26,-62 0,-52", x + 2, at(x), s)];
  });
}

function expedition(stage: Stage): void {
  aurora(stage);
  peaks(
    stage,
    620,
    [
      [0.3, 0.42, 0.3],
      [0.12, 0.3, 0.2],
      [0.48, 0.24, 0.2],
      [0.94, 0.2, 0.2],
    ],
    0.2,
  );
  paintMist(stage, 620, 200, 0.15);
  field(stage, 2, 690, () => 0, 0.35).paint();
  // Ice pushed up into blades.
  const { chance } = stage;
  const blades = Array.from({ length: 16 }, (_, i) => {
    const x = i * 92 + chance() * 50;
    return shape("-.5,.3 -.2,-.6 .06,-1 .3,-.4 .6,.3", x, 704, 20 + chance() * 46);
  });
  paintDepth(stage, blades, 0.42, { from: 620, to: 740 });
  paintMist(stage, 716, 110, 0.45);
  const plain = field(stage, 3, 786, (x) => 34 * swell(x, 760, 560), 0.7);
  plain.paint();
  const x = 700;
  const y = (off: number) => plain.at(x + off) + 4;
  const sled = [
    rectangle(x - 240, y(-200) - 38, 118, 30),
    shape("-.7,0 .6,0 .76,-.2 .7,-.06 .64,.06 -.72,.06", x - 180, y(-180) - 2, 100),
    shape("-.4,-.3 -.3,-.52 .1,-.56 .36,-.3", x - 180, y(-180) - 6, 100),
    limb(
      [
        [x - 116, y(-116) - 20, 2.4],
        [x - 20, y(-20) - 56, 2.4],
      ],
      1,
    ),
    limb(
      [
        [x + 10, y(0) - 58, 2.4],
        [x + 84, y(84) - 58, 2.4],
      ],
      1,
    ),
  ];
  paintDepth(
    stage,
    [
      ...person(x, y(0), 104, 1, "staff"),
      ...person(x + 110, y(110), 108, 1, "staff"),
      ...person(x - 300, y(-300), 100, 1),
      ...sled,
    ],
    0.86,
    { rim: 1 },
  );
  paintMotes(stage, "#f1e9e2", 420);
  const near = hills(stage, 5, {
    y: 880,
    rise: 26,
    stretch: 80,
    roughness: 0.6,
    lift: (px) => 110 * swell(px, 1400, 300) + 50 * swell(px, -20, 240),
  });
  paintDepth(stage, [near.outline], 1);
}

function lodge(stage: Stage): void {
  const { still, seed, air } = stage;
  aurora(stage);
  peaks(
    stage,
    560,
    [
      [0.24, 0.34, 0.3],
      [0.56, 0.2, 0.2],
      [0.9, 0.3, 0.26],
    ],
    0.12,
  );
  paintMist(stage, 570, 180, 0.1);
  const back = hills(stage, 2, {
    y: 650,
    rise: 20,
    stretch: 180,
    lift: (x) => 60 * swell(x, 1300, 420) + 40 * swell(x, 120, 300),
  });
  paintDepth(stage, [back.outline, ...wood(back, { seed, from: 0, to: W, gap: 12, height: 100 })], 0.34, {
    from: 500,
    to: 680,
  });
  paintMist(stage, 664, 120, 0.3);
  const yard = field(stage, 3, 748, (x) => 44 * swell(x, 420, 480), 0.6);
  const x = 400 + between(stage, -30, 40);
  const y = yard.at(x) + 10;
  paintSmoke(still, x + 64, y - 248, 0.5, seed % 61, air.fog(0.4), 0.55);
  yard.paint();
  const at = (text: string) => shape(text, x, y, 110);
  paintDepth(
    stage,
    [
      at("-1.3,.06 -1.3,-.9 1.3,-.9 1.3,.06"),
      at("-1.7,-.76 -.06,-2.1 .06,-2.1 1.7,-.76 1.5,-.76 0,-1.96 -1.5,-.76"),
      at("-1.46,-.8 0,-2.0 1.46,-.8"),
      at(".4,-1.5 .4,-2.2 .72,-2.2 .72,-1.3"),
      at("1.3,-.1 2.4,-.1 2.4,.06 1.3,.06"),
      at("1.3,-.5 2.3,-.36 2.3,-.28 1.3,-.4"),
      at("2.2,-.4 2.2,.06 2.26,.06 2.26,-.4"),
    ],
    0.7,
    { from: 440, to: 790, rim: 0.9 },
  );
  // Snow on the roof.
  paint(
    still,
    `<path d="${at("-1.74,-.74 -.04,-2.14 .06,-2.14 .02,-2.02 -1.6,-.7")}${at("1.74,-.74 .04,-2.14 -.06,-2.14 -.02,-2.02 1.6,-.7")}" fill="${air.fog(0)}" opacity=".75"/>`,
  );
  paintPanes(stage, [
    [x - 82, y - 46, 30],
    [x + 6, y - 46, 30],
    [x + 86, y - 46, 30],
    [x, y - 136, 22],
  ]);
  paint(
    still,
    `<path d="${ellipse(x, y + 26, 250, 20)}" fill="#ff9a3c" opacity=".24" filter="${blur(still, 14, 14, { x: x - 310, y: y - 30, width: 620, height: 110 })}"/>`,
  );
  const trees = wood(
    { outline: "", at: yard.at },
    { seed: seed + 5, from: 760, to: 1200, gap: 60, height: 250, grows: (px) => (Math.abs(px - 930) < 80 ? 0 : 0.9) },
  );
  paintDepth(stage, trees, 0.78, { from: 440, to: 800 });
  const fore = field(stage, 5, 852, (px) => 60 * swell(px, 1240, 420), 0.9);
  fore.paint();
  paintDepth(
    stage,
    [
      ...wood(
        { outline: "", at: (px) => fore.at(px) + 10 },
        { seed: seed + 8, from: 1180, to: 1400, gap: 90, height: 640 },
      ),
      ...wood(
        { outline: "", at: (px) => fore.at(px) + 20 },
        { seed: seed + 9, from: -60, to: 120, gap: 90, height: 560 },
      ),
    ],
    1,
  );
  paintMotes(stage, "#f1e9e2", 300);
}
