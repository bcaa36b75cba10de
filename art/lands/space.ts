// Space: a base on a moon under a ringed planet, a station before the limb of a world, a rocket on its pad.
import { person } from "../cast/people.ts";
import { ellipse, limb, type Point, polygon, rectangle, shape } from "../outline.ts";
import { swell } from "../ridge.ts";
import { paintStars } from "../sky.ts";
import { between, hills, paintDepth, paintMist, paintPanes, type Stage, type View } from "../stage.ts";
import { blur, define, paint, round, vertical } from "../still.ts";
import { paintVapour } from "../vapour.ts";

const W = 1380;
const H = 862;

export const SPACE: readonly View[] = [
  { name: "base", light: { x: 330, y: 560, radius: 20 }, sky: space, paint: base },
  { name: "station", light: { x: 300, y: 500, radius: 30 }, sky: space, paint: station },
  { name: "pad", light: { x: 420, y: 560, radius: 40 }, paint: pad },
];

/** No air: stars down to the ground, dust in the colour of the place, the glow of a near star. */
function space(stage: Stage): void {
  const { still, air, seed } = stage;
  const { x, y, radius } = still.sun;
  paint(
    still,
    `<rect width="${W}" height="${H}" fill="${vertical(still, 0, H, [
      [0, air.tone(1)],
      [0.6, air.tone(0.9)],
      [1, air.tone(0.66)],
    ])}"/>`,
  );
  paintVapour(still, {
    seed: seed % 701,
    top: 0,
    bottom: H,
    colour: air.haze(0.25),
    grain: 0.0019,
    stretch: 1.8,
    octaves: 4,
    opacityAt: (_, noise) => 0.62 * Math.min(1, Math.max(0, 3.2 * (noise - 0.44))),
  });
  paintStars(still, seed, 420, H * 1.3);
  const glow = round(
    still,
    x,
    y,
    460,
    [
      [0, "#ffb35c", 0.9],
      [0.1, "#ff9430", 0.5],
      [0.4, "#c0520c", 0.16],
      [1, "#b8480a", 0],
    ],
    1.3,
  );
  const disc = round(still, x, y, radius, [
    [0, "#fff6e0"],
    [0.7, "#ffd48c"],
    [1, "#ffa03c", 0],
  ]);
  paint(
    still,
    `<g style="mix-blend-mode:screen"><rect width="${W}" height="${H}" fill="${glow}"/></g><circle cx="${x}" cy="${y}" r="${radius}" fill="${disc}"/>`,
  );
}

/** A world lit from the side of the light. `bands`: how many stripes of weather. */
function planet(stage: Stage, x: number, y: number, r: number, bands: number): void {
  const { still, air, chance } = stage;
  const { sun } = still;
  const far = Math.hypot(sun.x - x, sun.y - y) || 1;
  const [dx, dy] = [(sun.x - x) / far, (sun.y - y) / far];
  const body = define(
    still,
    (id) =>
      `<radialGradient id="${id}" gradientUnits="userSpaceOnUse" cx="${x + dx * r * 0.75}" cy="${y + dy * r * 0.75}" r="${r * 1.75}"><stop offset="0" stop-color="${air.horizon}"/><stop offset=".3" stop-color="${air.haze(0.06)}"/><stop offset=".62" stop-color="${air.tone(0.5)}"/><stop offset="1" stop-color="${air.tone(1)}"/></radialGradient>`,
  );
  const clip = define(still, (id) => `<clipPath id="${id}"><circle cx="${x}" cy="${y}" r="${r}"/></clipPath>`);
  let stripes = "";
  for (let i = 0; i < bands; i++) {
    const at = y - r + ((i + chance() * 0.7) / bands) * r * 2;
    stripes += `<path d="${ellipse(x + (chance() - 0.5) * r * 0.4, at, r * (0.7 + chance() * 0.6), r * (0.015 + chance() * 0.045), -12)}" fill="${chance() < 0.5 ? air.fog(0) : air.tone(0.8)}" opacity="${(0.08 + chance() * 0.2).toFixed(2)}"/>`;
  }
  const rim = round(still, x, y, r * 1.16, [
    [0.8, air.fog(0), 0],
    [0.86, air.fog(0), 0.34],
    [1, air.fog(0), 0],
  ]);
  paint(
    still,
    `<circle cx="${x}" cy="${y}" r="${r * 1.16}" fill="${rim}"/><circle cx="${x}" cy="${y}" r="${r}" fill="${body}"/><g clip-path="${clip}"><g filter="${blur(still, r * 0.014, r * 0.014, { x: x - r, y: y - r, width: r * 2, height: Math.min(r * 2, H - y + r) })}">${stripes}</g></g>`,
  );
}

function ring(stage: Stage, x: number, y: number, r: number, tilt: number, front: boolean): void {
  const { still, air } = stage;
  const half = define(
    still,
    (id) =>
      `<clipPath id="${id}"><rect x="${x - r * 3}" y="${front ? y : y - r * 3}" width="${r * 6}" height="${r * 3}" transform="rotate(${tilt} ${x} ${y})"/></clipPath>`,
  );
  const rings = [1.36, 1.5, 1.58, 1.72, 1.9, 2.0]
    .map(
      (k, i) =>
        `<ellipse cx="${x}" cy="${y}" rx="${r * k}" ry="${r * k * 0.2}" transform="rotate(${tilt} ${x} ${y})" stroke-width="${r * (i % 2 === 0 ? 0.05 : 0.085)}" opacity="${0.75 - i * 0.09}"/>`,
    )
    .join("");
  paint(still, `<g clip-path="${half}"><g fill="none" stroke="${air.haze(0.04)}">${rings}</g></g>`);
}

function base(stage: Stage): void {
  const { still } = stage;
  const [x, y, r] = [960 + between(stage, -60, 60), 290, 185];
  ring(stage, x, y, r, -16, false);
  planet(stage, x, y, r, 12);
  ring(stage, x, y, r, -16, true);
  const far = hills(stage, 1, {
    y: 640,
    rise: 34,
    stretch: 120,
    roughness: 0.5,
    lift: (px) => 90 * swell(px, 1290, 300) + 50 * swell(px, 560, 200),
  });
  paintDepth(stage, [far.outline], 0.24, { from: 540, to: 690 });
  paintMist(stage, 650, 90, 0.3);
  const ground = hills(stage, 2, { y: 724, rise: 10, stretch: 200 });
  const dome = (px: number, s: number) => [
    polygon(
      Array.from(
        { length: 21 },
        (_, i): Point => [
          px - Math.cos((i / 20) * Math.PI) * s,
          ground.at(px) + 8 - Math.sin((i / 20) * Math.PI) * s * 0.86,
        ],
      ),
    ),
    rectangle(px - s * 1.06, ground.at(px) - 4, s * 2.12, 14),
  ];
  const tube = (a: number, b: number) => rectangle(a, ground.at(a) - 26, b - a, 26);
  const tower = 880;
  paintDepth(
    stage,
    [
      ground.outline,
      ...dome(560, 92),
      ...dome(740, 58),
      ...dome(1020, 76),
      tube(560, 1020),
      rectangle(tower - 30, ground.at(tower) - 190, 60, 200),
      shape("-.9,0 -.6,-.36 .6,-.36 .9,0", tower, ground.at(tower) - 186, 56),
      limb(
        [
          [tower, ground.at(tower) - 200, 4],
          [tower, ground.at(tower) - 320, 1.6],
        ],
        1,
      ),
      ...lander(1230, ground.at(1230) + 6, 62),
    ],
    0.62,
    { from: 430, to: 780, rim: 1 },
  );
  paintPanes(stage, [
    ...[-60, -20, 20, 60].map((o) => [560 + o, ground.at(560) - 26, 11] as const),
    ...[-24, 12].map((o) => [740 + o, ground.at(740) - 18, 9] as const),
    ...[-40, 0, 40].map((o) => [1020 + o, ground.at(1020) - 22, 10] as const),
    ...[170, 140, 60].map((o) => [tower - 8, ground.at(tower) - o, 10] as const),
    [tower, ground.at(tower) - 322, 5],
  ]);
  const near = hills(stage, 4, { y: 830, rise: 16, stretch: 110, lift: (px) => 70 * swell(px, -20, 320) });
  const craters = [430, 760, 1090].map((px, i) => ellipse(px, near.at(px) + 16, 74 - i * 8, 9));
  paintDepth(
    stage,
    [near.outline, ...astronaut(250, near.at(250) + 4, 130), ...astronaut(368, near.at(368) + 4, 120)],
    0.95,
    { rim: 1 },
  );
  paint(still, `<path d="${craters.join("")}" fill="${stage.air.tone(0.7)}" opacity=".6"/>`);
}

function astronaut(x: number, y: number, s: number): string[] {
  return [
    ...person(x, y, s * 0.94, 1),
    ellipse(x + s * 0.015, y - s * 0.88, s * 0.1),
    rectangle(x - s * 0.2, y - s * 0.78, s * 0.14, s * 0.34),
    rectangle(x - s * 0.1, y - s * 0.78, s * 0.22, s * 0.3),
    rectangle(x - s * 0.12, y - s * 0.5, s * 0.1, s * 0.5),
    rectangle(x + s * 0.04, y - s * 0.5, s * 0.1, s * 0.5),
  ];
}

function lander(x: number, y: number, s: number): string[] {
  const leg = (side: 1 | -1) =>
    limb(
      [
        [x + side * s * 0.4, y - s * 0.7, 5],
        [x + side * s * 0.95, y - 2, 4],
      ],
      1,
    );
  return [
    shape("-.6,-.5 -.7,-.9 -.4,-1.2 .4,-1.2 .7,-.9 .6,-.5", x, y, s),
    shape("-.4,-1.15 -.46,-1.6 -.2,-1.9 .2,-1.9 .46,-1.6 .4,-1.15", x, y, s),
    leg(1),
    leg(-1),
    rectangle(x + s * 0.86, y - 4, s * 0.24, 5),
    rectangle(x - s * 1.1, y - 4, s * 0.24, 5),
    shape("-.2,-.5 -.3,-.2 .3,-.2 .2,-.5", x, y, s),
    rectangle(x - 1.5, y - 2.5 * s, 3, s * 0.7),
  ];
}

function station(stage: Stage): void {
  const { still, air, chance } = stage;
  // The limb of a world, from below.
  const [px, py, r] = [620, 1560, 900];
  const glow = round(still, px, py, r * 1.12, [
    [0.84, "#ffb35c", 0],
    [0.885, "#ffb35c", 0.5],
    [0.9, air.fog(0), 0.36],
    [1, air.fog(0), 0],
  ]);
  paint(still, `<circle cx="${px}" cy="${py}" r="${r * 1.12}" fill="${glow}"/>`);
  planet(stage, px, py, r, 26);
  const cities: [number, number, number][] = Array.from({ length: 70 }, () => {
    const a = -Math.PI / 2 + 0.14 + chance() * 0.5;
    const k = 0.72 + chance() * 0.25;
    return [px + Math.cos(a) * r * k, py + Math.sin(a) * r * k, 1.4 + chance() * 2.4];
  });
  paintPanes(stage, cities);
  const [x, y, s] = [850 + between(stage, -30, 40), 370, 200];
  const wheel = (k: number, w: number) => {
    const edge = (rr: number) =>
      Array.from({ length: 60 }, (_, i): string => {
        const a = (i / 60) * Math.PI * 2;
        return `${(x + Math.cos(a) * rr * s * k).toFixed(1)},${(y + Math.sin(a) * rr * s * k * 0.36 + Math.cos(a) * s * k * 0.16).toFixed(1)}`;
      });
    return `M${edge(1).join("L")}Z M${edge(1 - w)
      .reverse()
      .join("L")}Z`;
  };
  const lit = define(
    still,
    (id) =>
      `<linearGradient id="${id}" gradientUnits="userSpaceOnUse" x1="${x - s * 1.3}" x2="${x + s * 1.3}" y1="0" y2="0"><stop offset="0" stop-color="${air.haze(0.1)}"/><stop offset=".4" stop-color="${air.tone(0.4)}"/><stop offset="1" stop-color="${air.tone(0.86)}"/></linearGradient>`,
  );
  const spokes = [0.3, 1.4, 2.5, 3.6, 4.7, 5.8].map((a) =>
    limb(
      [
        [x, y, 11],
        [x + Math.cos(a) * s * 1.16, y + Math.sin(a) * s * 1.2 * 0.36 + Math.cos(a) * s * 1.2 * 0.16, 8],
      ],
      1,
    ),
  );
  const spine = [
    limb(
      [
        [x + 70, y - s * 1.1, 26],
        [x, y, 46],
        [x - 84, y + s * 1.2, 26],
      ],
      3,
    ),
    limb(
      [
        [x + 40, y - s * 0.6, 70],
        [x + 22, y - s * 0.34, 70],
      ],
      1,
    ),
    limb(
      [
        [x - 40, y + s * 0.6, 64],
        [x - 54, y + s * 0.8, 64],
      ],
      1,
    ),
  ];
  const panel = (cx: number, cy: number) =>
    [-1, 1].flatMap((side) =>
      Array.from({ length: 4 }, (_, i) =>
        polygon([
          [cx + side * (40 + i * 58), cy + side * (6 + i * 9)],
          [cx + side * (92 + i * 58), cy + side * (14 + i * 9)],
          [cx + side * (104 + i * 58), cy + side * (14 + i * 9) - 60],
          [cx + side * (52 + i * 58), cy + side * (6 + i * 9) - 60],
        ]),
      ),
    );
  paintDepth(stage, [...panel(x + 66, y - s * 1.02), ...panel(x - 84, y + s * 1.24)], 0.56, {
    from: 200,
    to: 700,
    rim: 1,
  });
  paintDepth(stage, [...spine, ...spokes], 0.7, { from: 200, to: 700, rim: 1 });
  paint(
    still,
    `<path d="${wheel(1.26, 0.14)}" fill="${lit}" fill-rule="evenodd"/><path d="${wheel(1.26, 0.03)}" fill="#ffc27a" opacity=".55" fill-rule="evenodd"/>`,
  );
  paintPanes(
    stage,
    Array.from({ length: 34 }, (_, i) => {
      const a = (i / 34) * Math.PI * 2;
      return [
        x + Math.cos(a) * s * 1.17,
        y + Math.sin(a) * s * 1.17 * 0.36 + Math.cos(a) * s * 1.17 * 0.16,
        5,
      ] as const;
    }).filter(() => chance() < 0.7),
  );
  const ship = (sx: number, sy: number, k: number) => [
    shape("-1.4,.1 -.6,-.24 .7,-.16 1.4,.06 .6,.26 -.8,.3", sx, sy, k),
    shape("-1,-.1 -1.5,-.6 -.5,-.2", sx, sy, k),
    shape("-1,.2 -1.5,.7 -.4,.26", sx, sy, k),
  ];
  paintDepth(stage, [...ship(480, 250, 42), ...ship(390, 318, 22), ...ship(540, 190, 18)], 0.8, {
    from: 100,
    to: 600,
    rim: 1,
  });
  paintPanes(stage, [
    [480 - 62, 252, 7],
    [390 - 32, 319, 5],
    [540 - 27, 191, 4],
  ]);
}

function pad(stage: Stage): void {
  const { still, air } = stage;
  const far = hills(stage, 1, {
    y: 620,
    rise: 40,
    stretch: 220,
    lift: (x) => 70 * swell(x, 120, 340) + 60 * swell(x, 1330, 320),
  });
  paintDepth(stage, [far.outline], 0.05, { from: 500, to: 660 });
  paintMist(stage, 620, 140, 0.1);
  const plain = hills(stage, 2, { y: 742, rise: 5, stretch: 300 });
  const [x, y] = [870 + between(stage, -40, 60), 738];
  const rocket = [
    shape("-.4,0 -.4,-5.4 -.34,-6.2 -.18,-6.9 0,-7.4 .18,-6.9 .34,-6.2 .4,-5.4 .4,0", x, y - 24, 62),
    shape("-.78,.1 -.78,-3.4 -.6,-4 -.42,-3.4 -.42,.1", x, y - 24, 62),
    shape(".78,.1 .78,-3.4 .6,-4 .42,-3.4 .42,.1", x, y - 24, 62),
    shape("-.5,.1 -.64,.42 .64,.42 .5,.1", x, y - 24, 62),
  ];
  const gx = x + 150;
  const gantry: string[] = [rectangle(gx - 38, y - 500, 9, 510), rectangle(gx + 30, y - 500, 9, 510)];
  for (let k = 0; k < 10; k++) {
    const at = y - k * 50;
    gantry.push(
      rectangle(gx - 40, at - 50, 80, 5),
      limb(
        [
          [gx - 34, at, 4],
          [gx + 34, at - 50, 4],
        ],
        1,
      ),
      limb(
        [
          [gx + 34, at, 4],
          [gx - 34, at - 50, 4],
        ],
        1,
      ),
    );
  }
  gantry.push(
    rectangle(x + 22, y - 420, 100, 13),
    rectangle(x + 24, y - 290, 100, 11),
    rectangle(x + 48, y - 160, 76, 11),
    rectangle(gx - 5, y - 590, 6, 94),
    rectangle(gx - 56, y - 506, 112, 10),
  );
  const tanks = [
    ellipse(1230, y - 60, 62),
    rectangle(1190, y - 30, 8, 40),
    rectangle(1262, y - 30, 8, 40),
    ellipse(500, y - 34, 36),
    rectangle(476, y - 16, 6, 26),
    rectangle(518, y - 16, 6, 26),
  ];
  const masts = [x - 210, x + 320].flatMap((mx) => [
    limb(
      [
        [mx, y, 9],
        [mx, y - 540, 2.4],
      ],
      1,
    ),
    limb(
      [
        [mx - 34, y, 4],
        [mx, y - 260, 3],
      ],
      1,
    ),
    limb(
      [
        [mx + 34, y, 4],
        [mx, y - 260, 3],
      ],
      1,
    ),
  ]);
  const fume = round(
    still,
    x,
    y - 10,
    260,
    [
      [0, air.fog(0), 0.75],
      [0.5, air.fog(0), 0.28],
      [1, air.fog(0), 0],
    ],
    1.6,
  );
  paintDepth(stage, [plain.outline, ...tanks, ...masts, ...gantry, rectangle(x - 190, y - 6, 420, 26)], 0.56, {
    from: 200,
    to: 790,
  });
  paint(
    still,
    `<g filter="${blur(still, 10, 10, { x: x - 440, y: y - 130, width: 880, height: 250 })}"><ellipse cx="${x}" cy="${y - 6}" rx="380" ry="86" fill="${fume}"/></g>`,
  );
  paintDepth(stage, rocket, 0.66, { from: 200, to: 800, rim: 1, bleed: 0.3 });
  paintPanes(stage, [
    ...[60, 160, 260, 360, 460].map((o) => [gx, y - o, 9] as const),
    [gx - 2, y - 592, 7],
    [x - 210, y - 542, 6],
    [x + 320, y - 542, 6],
  ]);
  paintMist(stage, 770, 100, 0.6);
  const near = hills(stage, 4, { y: 846, rise: 10, stretch: 160, lift: (px) => 40 * swell(px, 150, 380) });
  paintDepth(
    stage,
    [
      near.outline,
      ...person(190, near.at(190) + 3, 112, 1),
      ...person(246, near.at(246) + 3, 104, 1),
      ...person(292, near.at(292) + 3, 70, 1),
    ],
    1,
  );
}
