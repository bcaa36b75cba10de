// The sea: a lighthouse on its rock, a galleon under full sail, a village on stilts between isles.
import { paintSearchlight } from "../cast/smoke-and-searchlight.ts";
import { ellipse, limb, limbAt, placed, points, polygon, rectangle, shape, smooth } from "../outline.ts";
import { swell } from "../ridge.ts";
import {
  between,
  hills,
  paintBirds,
  paintDepth,
  paintMist,
  paintPanes,
  paintWater,
  type Stage,
  type View,
} from "../stage.ts";
import { define, paint } from "../still.ts";
import { palm } from "../trees.ts";

export const SEA: readonly View[] = [
  { name: "lighthouse", light: { x: 420, y: 560, radius: 36 }, paint: lighthouse },
  { name: "galleon", light: { x: 420, y: 470, radius: 84 }, paint: galleon },
  { name: "stilts", light: { x: 850, y: 540, radius: 42 }, paint: stilts },
];

function above(stage: Stage, y: number, work: () => void): void {
  const clip = define(
    stage.still,
    (id) => `<clipPath id="${id}"><rect x="-60" y="-60" width="1500" height="${y + 60}"/></clipPath>`,
  );
  paint(stage.still, `<g clip-path="${clip}">`);
  work();
  paint(stage.still, "</g>");
}

function lighthouse(stage: Stage): void {
  const { still } = stage;
  const far = hills(stage, 1, {
    y: 604,
    rise: 10,
    stretch: 160,
    lift: (x) => 80 * swell(x, 140, 260) + 46 * swell(x, 700, 240),
  });
  above(stage, 606, () => paintDepth(stage, [far.outline], 0.04, { from: 500, to: 610 }));
  paintMist(stage, 596, 120, 0.1);
  paintWater(stage, 604);
  const x = 960 + between(stage, -30, 60);
  const rock = hills(stage, 2, {
    y: 800,
    rise: 26,
    stretch: 50,
    roughness: 0.62,
    lift: (px) => 250 * swell(px, x + 60, 380) + 120 * swell(px, 1400, 300) - 60,
  });
  const y = rock.at(x) + 12;
  const s = 330;
  paintSearchlight(still, x, y - 1.06 * s, 3.34, 1000, 0.5);
  paintSearchlight(still, x, y - 1.06 * s, 0.16, 600, 0.32);
  above(stage, 790, () =>
    paintDepth(
      stage,
      [
        rock.outline,
        shape("-.15,.05 -.105,-.96 .105,-.96 .15,.05", x, y, s),
        rectangle(x - 0.15 * s, y - 0.99 * s, 0.3 * s, 0.045 * s),
        ...[-0.14, -0.07, 0, 0.07, 0.135].map((k) => rectangle(x + k * s - 1.5, y - 1.05 * s, 3, 0.07 * s)),
        rectangle(x - 0.15 * s, y - 1.055 * s, 0.3 * s, 3),
        rectangle(x - 0.08 * s, y - 1.14 * s, 5, 0.16 * s),
        rectangle(x + 0.07 * s, y - 1.14 * s, 5, 0.16 * s),
        shape("-.12,-1.13 0,-1.27 .12,-1.13", x, y, s),
        rectangle(x - 1.5, y - 1.34 * s, 3, 0.09 * s),
        shape(".1,.05 .1,-.16 .26,-.28 .44,-.16 .44,.05", x, y, s),
        rectangle(x + 0.36 * s, y - 0.32 * s, 0.04 * s, 0.14 * s),
      ],
      0.68,
      { from: 260, to: 800 },
    ),
  );
  paintPanes(stage, [[x, y - 1.06 * s, 30]]);
  paintPanes(stage, [
    [x - 4, y - 0.62 * s, 8],
    [x - 4, y - 0.34 * s, 8],
    [x + 0.2 * s, y - 0.08 * s, 12],
    [x + 0.34 * s, y - 0.08 * s, 12],
  ]);
  paintMist(stage, 788, 90, 0.6);
  const near = hills(stage, 4, {
    y: 872,
    rise: 30,
    stretch: 70,
    roughness: 0.6,
    lift: (px) => 90 * swell(px, -10, 300) + 60 * swell(px, 560, 180),
  });
  paintDepth(stage, [near.outline], 1);
  paintBirds(stage, 640, 330, 10, 9);
}

function galleon(stage: Stage): void {
  const { still, air } = stage;
  const far = hills(stage, 1, {
    y: 606,
    rise: 8,
    stretch: 180,
    lift: (x) => 130 * swell(x, 1330, 330) + 40 * swell(x, 1000, 220) + 40 * swell(x, 0, 200),
  });
  above(stage, 610, () => paintDepth(stage, [far.outline], 0.06, { from: 470, to: 620 }));
  paintMist(stage, 600, 120, 0.1);
  paintWater(stage, 606);
  const [x, y, s] = [790 + between(stage, -40, 40), 724, 62];
  const at = (text: string) => shape(text, x, y, s);
  const hull = polygon(
    placed(
      smooth(
        points(
          "-4.6,-1.7 -4.4,-.9 -4,-.2 -3.2,.4 2.6,.4 3.7,-.1 4.5,-1.2 3.4,-.8 1.4,-.62 -1.6,-.62 -2.4,-.9 -2.5,-1.34 -3.4,-1.5 -3.5,-1.9 -4.6,-2.1",
        ),
        4,
        true,
      ),
      x,
      y,
      s,
    ),
  );
  const sail = (mx: number, top: number, foot: number, wide: number, belly: number) =>
    polygon(
      placed(
        smooth(
          points(
            `${mx - wide},${top} ${mx + wide},${top} ${mx + wide + belly * 0.6},${(top + foot) / 2} ${mx + wide * 1.12},${foot} ${mx},${foot - 0.16} ${mx - wide * 1.12},${foot} ${mx - wide + belly},${(top + foot) / 2}`,
          ),
          6,
          true,
        ),
        x,
        y,
        s,
      ),
    );
  const masts = [
    [-2.2, -6.6],
    [0.1, -7.8],
    [2.2, -6.7],
  ] as const;
  const sails = [
    sail(-2.2, -5.9, -4.4, 0.72, 0.3),
    sail(-2.2, -4.2, -2.3, 0.95, 0.34),
    sail(0.1, -7.1, -5.7, 0.74, 0.3),
    sail(0.1, -5.5, -3.7, 1.0, 0.36),
    sail(0.1, -3.5, -1.4, 1.18, 0.4),
    sail(2.2, -6.0, -4.6, 0.66, 0.3),
    sail(2.2, -4.4, -2.6, 0.88, 0.34),
    sail(2.2, -2.4, -1.2, 0.96, 0.3),
    at("2.9,-5.3 5.9,-1.9 3.4,-1.6"),
    at("-3,-3.6 -4.4,-2.7 -4.2,-1.9 -2.8,-1.9"),
  ];
  const ropes = [
    limbAt("2.2,-6.6,.04 6,-1.9,.04", x, y, s, s, 1),
    limbAt("-2.2,-6.5,.04 -4.5,-2,.04", x, y, s, s, 1),
    limbAt(".1,-7.6,.03 2.2,-4.4,.03", x, y, s, s, 1),
    limbAt("0,-7.6,.03 -2.2,-4.4,.03", x, y, s, s, 1),
  ];
  paint(
    still,
    `<g fill="${air.tone(1)}" opacity=".5"><path d="${ellipse(x, y + 34, 290, 15)}"/><path d="${polygon(placed(points("-3.6,.3 3.4,.3 2.4,3 -2.6,3"), x, y, s))}" opacity=".4"/></g>`,
  );
  paintDepth(stage, sails, 0.52, { from: 240, to: 740, rim: 1, bleed: 0.42 });
  paintDepth(
    stage,
    [
      hull,
      ...masts.map(([mx, top]) => limbAt(`${mx},-.4,.16 ${mx},-4,.12 ${mx},${top},.05`, x, y, s, s, 2)),
      ...masts.map(([mx, top]) =>
        shape("0,0 -.3,.1 -.62,.02 -1,.14 -.62,.26 -.3,.2 0,.28", x + mx * s, y + top * s, s),
      ),
      limbAt("3.6,-.9,.2 6.2,-2.1,.08", x, y, s, s, 2),
      ...ropes,
      at("-4.4,-2.1 -4.3,-2.7 -3.9,-2.7 -3.9,-2.1"),
    ],
    0.76,
    { from: 300, to: 780, rim: 1 },
  );
  paintPanes(stage, [
    [x - 4.15 * s, y - 2.5 * s, 10],
    ...[-3.9, -3.4, -2.9].map((k) => [x + k * s, y - 1.1 * s, 7] as const),
  ]);
  paintMist(stage, 760, 100, 0.6);
  const rocks = hills(stage, 4, {
    y: 880,
    rise: 30,
    stretch: 60,
    roughness: 0.6,
    lift: (px) => 250 * swell(px, -40, 250) + 150 * swell(px, 1420, 230),
  });
  paintDepth(
    stage,
    [rocks.outline, ...palm(96, rocks.at(96) + 20, 330, 70, 5), ...palm(40, rocks.at(40) + 10, 260, -20, 7)],
    1,
  );
  paintBirds(stage, 560, 260, 9, 9);
}

function stilts(stage: Stage): void {
  const { chance } = stage;
  const far = hills(stage, 1, {
    y: 606,
    rise: 8,
    stretch: 120,
    lift: (x) => 210 * swell(x, 250, 230) + 120 * swell(x, 460, 190) + 90 * swell(x, 1280, 240),
  });
  above(stage, 608, () => paintDepth(stage, [far.outline], 0.1, { from: 400, to: 620 }));
  paintMist(stage, 598, 130, 0.1);
  paintWater(stage, 606);
  const lights: [number, number, number][] = [];
  const hut = (x: number, y: number, s: number) => {
    lights.push([x - 0.2 * s, y - 0.62 * s, s * 0.14], [x + 0.22 * s, y - 0.62 * s, s * 0.14]);
    return [
      rectangle(x - 0.62 * s, y - 0.36 * s, 1.24 * s, 0.07 * s),
      rectangle(x - 0.46 * s, y - 0.86 * s, 0.92 * s, 0.52 * s),
      shape("-.72,-.8 -.5,-1.06 0,-1.62 .5,-1.06 .72,-.8", x, y, s),
      ...[-0.56, -0.2, 0.2, 0.56].map((k) => rectangle(x + k * s - 0.02 * s, y - 0.34 * s, 0.045 * s, 0.5 * s)),
      rectangle(x - 0.62 * s, y - 0.54 * s, 0.03 * s, 0.2 * s),
    ];
  };
  const small = [1030, 1130, 1224].flatMap((x) => hut(x, 640, 62 + chance() * 14));
  paintDepth(stage, [...small, rectangle(980, 618, 320, 5)], 0.4, { from: 480, to: 660 });
  paintPanes(stage, lights.splice(0));
  paintMist(stage, 648, 80, 0.4);
  const big = [...hut(330, 748, 180), ...hut(560, 726, 124), ...hut(110, 730, 130)];
  const planks = [
    rectangle(60, 684, 560, 8),
    ...Array.from({ length: 22 }, (_, i) => rectangle(70 + i * 26, 690, 4, 50 + chance() * 20)),
  ];
  const boat = [
    polygon(placed(smooth(points("-1.3,-.3 -.9,0 0,.12 .9,0 1.3,-.34 .8,-.14 -.8,-.12"), 5, true), 820, 740, 90)),
    limb(
      [
        [820, 738, 5],
        [824, 610, 3],
      ],
      1,
    ),
    shape("0,-1.36 .9,-.3 0,-.24", 826, 740, 90),
  ];
  paintDepth(stage, [...big, ...planks, ...boat], 0.72, { from: 420, to: 790, rim: 1 });
  paintPanes(stage, lights);
  paintMist(stage, 770, 90, 0.65);
  const shore = hills(stage, 4, { y: 876, rise: 14, stretch: 90, lift: (x) => 120 * swell(x, 1400, 420) });
  paintDepth(
    stage,
    [
      shore.outline,
      ...palm(1210, 830, 520, -150, 21),
      ...palm(1310, 820, 400, -20, 23),
      ...palm(1120, 852, 250, -70, 25),
    ],
    1,
  );
  paintBirds(stage, 640, 290, 6, 8);
}
