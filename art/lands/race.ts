// Roads and tracks: a road to the horizon, a circuit by floodlight, a lorry's long way over the plain.
import { lorry, racer, racerBehind } from "../cast/cars.ts";
import { person } from "../cast/people.ts";
import { paintSearchlight } from "../cast/smoke-and-searchlight.ts";
import { ellipse, limb, type Point, polygon, rectangle, shape } from "../outline.ts";
import { swell } from "../ridge.ts";
import { between, hills, paintDepth, paintMist, paintMotes, paintPanes, type Stage, type View } from "../stage.ts";
import { blur, paint, round, vertical } from "../still.ts";
import { wood } from "../trees.ts";

const W = 1380;
const H = 862;

export const RACE: readonly View[] = [
  { name: "road", light: { x: 760, y: 500, radius: 78 }, paint: road },
  { name: "circuit", light: { x: 330, y: 540, radius: 34 }, paint: circuit },
  { name: "haul", light: { x: 980, y: 540, radius: 44 }, paint: haul },
];

function tarmac(stage: Stage, edge: readonly (readonly [left: Point, right: Point])[], y: number): void {
  const { still, air } = stage;
  const fill = vertical(still, y, H, [
    [0, air.horizon],
    [0.07, air.haze(0.3)],
    [0.3, air.tone(0.5)],
    [1, air.tone(0.95)],
  ]);
  paint(
    still,
    `<path d="${polygon([...edge.map(([a]) => a), ...[...edge].reverse().map(([, b]) => b)])}" fill="${fill}"/>`,
  );
}

function road(stage: Stage): void {
  const { still, air, seed } = stage;
  const vy = 592;
  const far = hills(stage, 1, {
    y: 596,
    rise: 20,
    stretch: 150,
    roughness: 0.54,
    lift: (x) => 150 * swell(x, 260, 330) + 120 * swell(x, 1220, 300) + 40 * swell(x, 980, 200),
  });
  paintDepth(stage, [far.outline], 0.08, { from: 400, to: 620 });
  paintMist(stage, 594, 120, 0.1);
  const plain = vertical(still, vy, H, [
    [0, air.haze(0.14)],
    [0.16, air.tone(0.4)],
    [0.5, air.tone(0.74)],
    [1, air.tone(1)],
  ]);
  paint(still, `<rect y="${vy}" width="${W}" height="${H - vy}" fill="${plain}"/>`);
  // A road that bends once on its way to the light.
  const bend = (t: number) => 760 - 300 * Math.sin(t * 2.1) * t;
  const edges = Array.from({ length: 40 }, (_, i): readonly [Point, Point] => {
    const t = (i / 39) ** 1.7;
    const y = vy + t * (H + 10 - vy);
    const half = 5 + t * 470;
    return [
      [bend(t) - half, y],
      [bend(t) + half, y],
    ];
  });
  tarmac(stage, edges, vy);
  const sheen = round(
    still,
    760,
    vy,
    330,
    [
      [0, "#ffb35c", 0.8],
      [0.4, "#ff8000", 0.26],
      [1, "#ff8000", 0],
    ],
    0.7,
  );
  paint(
    still,
    `<path d="${polygon([...edges.map(([a]) => a), ...[...edges].reverse().map(([, b]) => b)])}" fill="${sheen}"/>`,
  );
  let dashes = "";
  for (let t = 0.012; t < 1; t *= 1.42) {
    const [a, b] = [t, t * 1.2];
    const p = (k: number, off: number): Point => [bend(k) + off * (1 + k * 9), vy + k * (H - vy)];
    dashes += polygon([p(a, -1), p(a, 1), p(b, 1), p(b, -1)]);
  }
  paint(still, `<path d="${dashes}" fill="#e0a060" opacity=".6"/>`);
  const posts: string[] = [];
  for (let t = 0.02; t < 1.4; t *= 1.5)
    for (const side of [-1, 1]) {
      const x = bend(Math.min(1, t)) + side * (12 + t * 560);
      const y = vy + t * (H - vy);
      posts.push(rectangle(x - 2 - t * 6, y - 10 - t * 84, 4 + t * 12, 12 + t * 90));
      if (side === 1 && t > 0.1) posts.push(rectangle(x - 3 - t * 8, y - 8 - t * 80, 6 + t * 16, 4 + t * 10));
    }
  paintDepth(stage, posts, 0.7, { from: 560, to: H, rim: 1 });
  const cx = bend(0.5) + 70;
  const cy = vy + 0.5 * (H - vy);
  paint(still, `<path d="${ellipse(cx, cy + 4, 128, 13)}" fill="#000000" opacity=".55"/>`);
  paintDepth(stage, racerBehind(cx, cy, 96), 0.92, { from: 600, to: 780, rim: 1 });
  const tail = [
    [cx - 70, cy - 52],
    [cx + 70, cy - 52],
  ] as const;
  for (const [x, y] of tail)
    paint(
      still,
      `<path d="${ellipse(x, y, 60, 26)}" fill="#ff3a10" opacity=".5" filter="${blur(still, 14, 14, { x: x - 120, y: y - 80, width: 240, height: 160 })}"/><path d="${rectangle(x - 22, y - 5, 44, 10)}" fill="#ff6a2c"/>`,
    );
  const ahead = bend(0.1) - 8;
  paintDepth(stage, racerBehind(ahead, vy + 0.1 * (H - vy), 19), 0.5, { from: 560, to: 640 });
  paint(
    still,
    `<path d="${ellipse(ahead - 13, vy + 17, 6, 4)}${ellipse(ahead + 13, vy + 17, 6, 4)}" fill="#ff5a24" opacity=".9"/>`,
  );
  paintDepth(stage, wood({ outline: "", at: () => H + 8 }, { seed, from: 1240, to: 1400, gap: 70, height: 420 }), 1);
  paintMist(stage, 640, 70, 0.3);
}

function circuit(stage: Stage): void {
  const { still, air, chance } = stage;
  const far = hills(stage, 1, { y: 610, rise: 18, stretch: 180, lift: (x) => 60 * swell(x, 120, 330) });
  paintDepth(stage, [far.outline], 0.05, { from: 500, to: 640 });
  paintMist(stage, 610, 120, 0.1);
  const lamps = [
    [560, 150, 0.8],
    [860, 110, 1],
    [1190, 60, 1.25],
  ] as const;
  for (const [x, y, k] of lamps) for (const a of [1.2, 1.62, 2.05]) paintSearchlight(still, x, y, a, 620 * k, 0.2);
  // The stand under its roof, and everybody in it.
  const stand = [
    polygon([
      [470, 690],
      [1400, 640],
      [1400, 470],
      [470, 610],
    ]),
    polygon([
      [440, 560],
      [1420, 336],
      [1420, 364],
      [446, 578],
    ]),
    ...[500, 660, 830, 1010, 1210].map((x) => rectangle(x, 548 - (x - 450) * 0.22, 7, 140)),
  ];
  const crowd = Array.from({ length: 520 }, () => {
    const t = chance();
    const x = 480 + t * 900;
    return ellipse(x, 690 - (x - 470) * 0.054 - chance() * (70 + t * 110), 3 + t * 3.4);
  });
  paintDepth(stage, stand, 0.4, { from: 340, to: 720 });
  paint(still, `<path d="${crowd.join("")}" fill="${air.haze(0.2)}" opacity=".4"/>`);
  paintDepth(
    stage,
    lamps.flatMap(([x, y, k]) => [
      limb(
        [
          [x, 640, 13 * k],
          [x, y, 6 * k],
        ],
        1,
      ),
      rectangle(x - 58 * k, y - 30 * k, 116 * k, 42 * k),
    ]),
    0.56,
    { from: 200, to: 700 },
  );
  for (const [x, y, k] of lamps) {
    const glow = round(still, x, y - 8, 150 * k, [
      [0, "#fff4e0", 0.75],
      [0.2, "#ffe0b0", 0.3],
      [1, "#ffb35c", 0],
    ]);
    paint(
      still,
      `<circle cx="${x}" cy="${y - 8}" r="${150 * k}" fill="${glow}"/><path d="${Array.from({ length: 10 }, (_, i) => ellipse(x + ((i % 5) - 2) * 22 * k, y - 20 * k + Math.floor(i / 5) * 20 * k, 8 * k)).join("")}" fill="#fff0d2"/>`,
    );
  }
  const y = 700;
  tarmac(
    stage,
    [
      [
        [-20, y],
        [W + 20, y - 40],
      ],
      [
        [-20, H + 5],
        [W + 20, H + 5],
      ],
    ],
    y - 40,
  );
  paint(
    still,
    `<path d="${polygon([
      [-20, 690],
      [W + 20, 640],
      [W + 20, H + 10],
      [-20, H + 10],
    ])}" fill="${vertical(still, 650, H, [
      [0, air.tone(0.36)],
      [0.4, air.tone(0.62)],
      [1, air.tone(1)],
    ])}"/>`,
  );
  const kerb = Array.from({ length: 30 }, (_, i) =>
    polygon([
      [i * 48, 834 - i * 1.1],
      [i * 48 + 24, 833.4 - i * 1.1],
      [i * 48 + 18, 862],
      [i * 48 - 8, 862],
    ]),
  );
  paint(
    still,
    `<path d="${kerb.join("")}" fill="#d8884a" opacity=".55"/><path d="${polygon([
      [-20, 712],
      [W + 20, 660],
      [W + 20, 666],
      [-20, 719],
    ])}" fill="#e0a060" opacity=".4"/>`,
  );
  const cars = [
    [430, 798, 150],
    [820, 742, 92],
    [1110, 712, 66],
  ] as const;
  for (const [x, cy, s] of cars) {
    paint(still, `<path d="${ellipse(x, cy + 2, s * 1.1, s * 0.07)}" fill="#000000" opacity=".6"/>`);
    const beam = round(
      still,
      x + s,
      cy - s * 0.24,
      s * 2.2,
      [
        [0, "#ffe9bd", 0.7],
        [0.3, "#ffb35c", 0.24],
        [1, "#ff8000", 0],
      ],
      1.6,
    );
    paint(
      still,
      `<g style="mix-blend-mode:screen"><path d="${polygon([
        [x + s * 0.98, cy - s * 0.3],
        [x + s * 4, cy - s * 0.7],
        [x + s * 4, cy + s * 0.1],
        [x + s * 0.98, cy - s * 0.18],
      ])}" fill="${beam}" filter="${blur(still, 6, 6, { x: x + s * 0.8, y: cy - s, width: s * 3.4, height: s * 1.4 })}"/></g>`,
    );
  }
  paintDepth(
    stage,
    cars.flatMap(([x, cy, s]) => racer(x, cy, s)),
    0.9,
    { from: 560, to: 830, rim: 1 },
  );
  paint(
    still,
    cars
      .map(
        ([x, cy, s]) =>
          `<path d="${ellipse(x + s * 0.96, cy - s * 0.25, s * 0.07, s * 0.04)}" fill="#fff0d2"/><path d="${ellipse(x - s * 0.97, cy - s * 0.3, s * 0.05, s * 0.04)}" fill="#ff5a24"/>`,
      )
      .join(""),
  );
  paintMist(stage, 700, 70, 0.5);
  paintDepth(
    stage,
    [
      rectangle(92, 560, 9, 310),
      ...Array.from({ length: 30 }, (_, i) =>
        (Math.floor(i / 6) + i) % 2 === 0
          ? rectangle(101 + (i % 6) * 26, 566 + Math.floor(i / 6) * 24, 26, 24)
          : rectangle(101 + (i % 6) * 26, 566 + Math.floor(i / 6) * 24, 26, 2),
      ),
      ...person(84, 900, 190, 1),
    ],
    1,
  );
}

function haul(stage: Stage): void {
  const { still, seed } = stage;
  const far = hills(stage, 1, {
    y: 604,
    rise: 30,
    stretch: 210,
    lift: (x) => 110 * swell(x, 330, 420) + 40 * swell(x, 1300, 280),
  });
  paintDepth(stage, [far.outline, ...wood(far, { seed, from: 0, to: W, gap: 7, height: 22 })], 0.05, {
    from: 460,
    to: 640,
  });
  paintMist(stage, 606, 140, 0.1);
  const plain = hills(stage, 2, { y: 676, rise: 10, stretch: 260, lift: (x) => 30 * swell(x, 140, 400) });
  const silo = [1130, 1190].flatMap((x) => [
    rectangle(x, plain.at(x) - 110, 46, 120),
    ellipse(x + 23, plain.at(x) - 110, 23, 16),
  ]);
  paintDepth(stage, [plain.outline, ...silo], 0.3, { from: 540, to: 720 });
  paintMist(stage, 690, 120, 0.4);
  // A bridge of the road over the valley.
  const y = 744;
  const piers = [60, 330, 600, 870, 1140].flatMap((x) => [shape("-16,0 16,0 24,160 -24,160", x, y, 1)]);
  paintDepth(
    stage,
    [
      rectangle(-20, y - 8, W + 40, 26),
      rectangle(-20, y - 30, W + 40, 4),
      ...Array.from({ length: 47 }, (_, i) => rectangle(i * 30, y - 30, 3, 24)),
      ...piers,
    ],
    0.66,
    { from: 600, to: H },
  );
  const x = 500 + between(stage, -70, 70);
  paintDepth(stage, [...lorry(x, y - 8, 176), ...racer(1040, y - 8, 76), ...lorry(110, y - 8, 120)], 0.82, {
    from: 500,
    to: 800,
    rim: 1,
  });
  paintPanes(stage, [
    [x + 178, y - 48, 13],
    [1114, y - 28, 8],
    [232, y - 34, 10],
  ]);
  paintPanes(
    stage,
    Array.from({ length: 7 }, (_, i) => [x - 164 + i * 34, y - 176, 5] as const),
  );
  const poles = [180, 520, 860, 1200].flatMap((px) => [
    rectangle(px, 470, 9, 280),
    rectangle(px - 40, 492, 90, 7),
    rectangle(px - 32, 520, 74, 6),
  ]);
  let lines = "";
  for (const [dx, dy] of [
    [-36, 488],
    [46, 488],
    [-28, 516],
    [38, 516],
  ] as const)
    for (let px = -160; px < W; px += 340)
      lines += `<path d="M${px + dx},${dy}Q${px + dx + 170},${dy + 46} ${px + dx + 340},${dy}"/>`;
  paint(still, `<g fill="none" stroke="${stage.air.tone(0.8)}" stroke-width="1.6" opacity=".8">${lines}</g>`);
  paintDepth(stage, poles, 0.7, { from: 400, to: 800, rim: 1 });
  paintMist(stage, 812, 110, 0.7);
  const near = hills(stage, 4, { y: 868, rise: 14, stretch: 130, lift: (px) => 60 * swell(px, 1330, 320) });
  paintDepth(stage, [near.outline, ...wood(near, { seed: seed + 4, from: 1020, to: 1400, gap: 42, height: 190 })], 1);
  paintMotes(stage, "#ffc27a", 40);
}
