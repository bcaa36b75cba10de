// Tera: a city grown into a colossal tree, its windows lit, bridges to the neighbour trunks, small airships on their way.
import { paintFog } from "../fog.ts";
import { paintLayer } from "../layer.ts";
import { ellipse, limb, type Point, placed, polygon, rectangle, smooth } from "../outline.ts";
import { seeded } from "../random.ts";
import { ridge, swell } from "../ridge.ts";
import { paintCloud, paintShafts, paintSky, paintStars, paintSun } from "../sky.ts";
import { define, openStill, paint, type Scene, type Shot, type Still } from "../still.ts";
import { branches, crown } from "../trees.ts";

const PLACES = {
  card: { sun: [0.25, 0.6], tree: 0.57, size: 1 },
  wide: { sun: [0.53, 0.58], tree: 0.74, size: 1.22 },
  tall: { sun: [0.22, 0.62], tree: 0.56, size: 1.12 },
} as const;

export const tera: Scene = { slug: "tera", draw };

function draw(shot: Shot): Still {
  const { width: w, height: h } = shot;
  const place = PLACES[shot.kind];
  const u = (h / 862) * (shot.kind === "tall" ? 0.8 : 0.98);
  const still = openStill(shot, { x: w * place.sun[0], y: h * place.sun[1], radius: h * 0.036 });
  paintSky(
    still,
    [
      [0, "#120a14"],
      [0.3, "#2c1728"],
      [0.6, "#663642"],
      [0.85, "#b0603f"],
      [1, "#e0883a"],
    ],
    h * 0.7,
    0.95,
  );
  paintStars(still, 8, 70, h * 0.35, "#ffe6d8");
  paintCloud(still, {
    seed: 25,
    top: h * 0.05,
    bottom: h * 0.7,
    colour: "#e58a6a",
    opacity: 0.3,
    cover: 0.42,
    stretch: 5,
  });
  paintCloud(still, {
    seed: 6,
    top: h * 0.4,
    bottom: h * 0.72,
    colour: "#ffb066",
    opacity: 0.4,
    cover: 0.38,
    stretch: 9,
  });
  paintShafts(still, [-160, -128, -96, -62, -38, -20], h * 0.9, 0.16);
  paintSun(still);

  const x = w * place.tree;
  const far = ridge(shot, {
    seed: 4,
    y: h * 0.7,
    rise: h * 0.05,
    stretch: w * 0.24,
    lift: (px) => h * 0.05 * swell(px, w * 0.9, w * 0.4),
  });
  paintLayer(still, [far.outline], { tone: "#7a4650", haze: "#c07a55", from: h * 0.6, to: h * 0.78, bleed: 0.4 });
  farTree(still, x - w * (shot.kind === "wide" ? 0.16 : 0.26), h * 0.74, 0.34 * u, 31, "#74404a");
  farTree(still, x + 0.34 * w * (shot.kind === "wide" ? 0.62 : 1), h * 0.75, 0.46 * u, 77, "#6a3a48");
  paintFog(still, { seed: 5, y: h * 0.7, height: h * 0.22, colour: "#d09a7c", opacity: 0.55, warm: 0.5 });

  paintTree(still, x, h * 0.86, u * place.size);
  paintAirships(still, u);
  paintFog(still, { seed: 18, y: h * 0.8, height: h * 0.24, colour: "#b98074", opacity: 0.55, torn: 0.75, warm: 0.4 });

  const middle = ridge(shot, {
    seed: 16,
    y: h * 0.9,
    rise: h * 0.035,
    stretch: w * 0.12,
    lift: (px) => h * 0.06 * swell(px, x, w * 0.3),
  });
  const canopy = Array.from({ length: 60 }, (_, i) => (i + 0.5) * (w / 60)).flatMap((px, i) =>
    crown(px, middle.at(px), 36 * u, 22 * u, 200 + i, 9),
  );
  paintLayer(still, [middle.outline, ...canopy], {
    tone: "#2a1720",
    haze: "#5c3438",
    from: h * 0.82,
    to: h,
    bleed: 0.25,
    rim: 0.6,
    rimWidth: 1.8 * u,
  });
  paintFog(still, { seed: 29, y: h * 0.93, height: h * 0.14, colour: "#a06a60", opacity: 0.4, torn: 0.8, warm: 0.3 });
  const near = ridge(shot, {
    seed: 63,
    y: h * 1.01,
    rise: h * 0.03,
    stretch: w * 0.15,
    lift: (px) => h * (0.16 * swell(px, -w * 0.03, w * 0.26) + 0.12 * swell(px, w * 1.03, w * 0.24)),
  });
  const leaves = Array.from({ length: 44 }, (_, i) => (i + 0.5) * (w / 44)).flatMap((px, i) =>
    crown(px, near.at(px) + 8 * u, 50 * u, 32 * u, 500 + i, 12),
  );
  paintLayer(still, [near.outline, ...leaves], {
    tone: "#0b0609",
    rim: 0.45,
    rimWidth: 1.8 * u,
    reach: w * 0.45,
    bleed: 0.06,
  });
  paintMotes(still, u);
  return still;
}

function farTree(still: Still, x: number, y: number, s: number, seed: number, tone: string): void {
  const trunk = limb([
    [x, y + 60 * s, 230 * s],
    [x, y - 60 * s, 130 * s],
    [x + 10 * s, y - 330 * s, 86 * s],
    [x, y - 560 * s, 50 * s],
  ]);
  const boughs = crown(x, y - 590 * s, 330 * s, 110 * s, seed, 70);
  const shelf = crown(x + 40 * s, y - 440 * s, 230 * s, 50 * s, seed + 1, 34);
  paintLayer(still, [trunk, ...boughs, ...shelf], {
    tone,
    haze: "#c58058",
    from: y - 700 * s,
    to: y + 20 * s,
    thick: 0.9,
    bleed: 0.5,
    rim: 0.3,
    rimWidth: 1.4,
  });
}

/** The great tree with its tiers of houses; (x, y) is the foot of the trunk, `s` 1 stands about 800 px high. */
function paintTree(still: Still, x: number, y: number, s: number): void {
  const across = (v: number) => x + v * s;
  const up = (v: number) => y - v * s;
  const marks = (list: readonly (readonly [number, number, number])[]) =>
    limb(
      list.map(([a, b, c]) => [across(a), up(b), c * s] as const),
      10,
    );
  const chance = seeded(12);
  const roots = [-1, 1].flatMap((side) => [
    marks([
      [side * 40, 150, 90],
      [side * 120, 60, 62],
      [side * 230, 10, 40],
      [side * 330, -40, 20],
    ]),
    marks([
      [side * 30, 110, 80],
      [side * 80, 20, 60],
      [side * 140, -50, 40],
    ]),
  ]);
  const trunk = marks([
    [0, -60, 310],
    [0, 40, 220],
    [8, 160, 160],
    [0, 300, 136],
    [-10, 430, 124],
    [4, 540, 116],
    [0, 620, 90],
  ]);
  const boughs = [
    marks([
      [0, 470, 80],
      [-110, 560, 54],
      [-230, 600, 36],
      [-350, 640, 16],
    ]),
    marks([
      [0, 430, 74],
      [120, 540, 52],
      [250, 590, 34],
      [370, 610, 14],
    ]),
    marks([
      [-6, 560, 66],
      [-60, 660, 44],
      [-130, 730, 20],
    ]),
    marks([
      [6, 560, 66],
      [70, 670, 42],
      [150, 750, 18],
    ]),
    marks([
      [-4, 300, 46],
      [-120, 368, 30],
      [-216, 392, 12],
    ]),
    marks([
      [6, 250, 44],
      [130, 330, 30],
      [236, 352, 12],
    ]),
  ];
  const twigs = [
    [-230, 600, -2.2],
    [250, 590, -0.9],
    [-130, 730, -1.9],
    [150, 750, -1.2],
    [-350, 640, -2.6],
    [370, 610, -0.6],
  ].flatMap(([a, b, angle]) => branches(across(a ?? 0), up(b ?? 0), angle ?? 0, 70 * s, 16 * s, 3, chance, 0.5));
  const leaves = [
    ...crown(across(0), up(720), 330 * s, 84 * s, 1, 90),
    ...crown(across(-270), up(650), 190 * s, 62 * s, 2, 55),
    ...crown(across(290), up(640), 190 * s, 60 * s, 3, 55),
    ...crown(across(20), up(800), 210 * s, 70 * s, 4, 55),
    ...crown(across(-214), up(402), 86 * s, 26 * s, 5, 26),
    ...crown(across(236), up(364), 92 * s, 26 * s, 6, 26),
  ];
  paintLayer(still, leaves, {
    tone: "#3a1d2a",
    haze: "#5e3034",
    from: up(800),
    to: up(560),
    bleed: 0.34,
    rim: 0.75,
    rimWidth: 2.4 * s,
    reach: still.height * 1.0,
  });

  const lights: [number, number, number][] = [];
  const houses: string[] = [];
  const tier = (cy: number, half: number, towers: number, tall: number, off = 0) => {
    houses.push(
      ellipse(across(off), up(cy), half * s, 7 * s),
      polygon([
        [across(off - half * 0.9), up(cy)],
        [across(off + half * 0.9), up(cy)],
        [across(off + half * 0.34), up(cy - 46)],
        [across(off - half * 0.34), up(cy - 46)],
      ]),
    );
    for (let i = 0; i <= 16; i++)
      houses.push(rectangle(across(off - half + (i * half) / 8), up(cy + 9), 1.4 * s, 10 * s));
    houses.push(rectangle(across(off - half), up(cy + 10), half * 2 * s, 1.6 * s));
    for (let i = 0; i < towers; i++) {
      const tx = off + ((i + 0.5) / towers - 0.5) * half * 1.75 + (chance() - 0.5) * 8;
      const edge = 1 - Math.abs(tx - off) / half;
      const height = tall * (0.45 + chance() * 0.4 + edge * 0.4);
      const wide = 15 + chance() * 11;
      houses.push(rectangle(across(tx - wide / 2), up(cy + height), wide * s, height * s));
      if (chance() < 0.4)
        houses.push(
          ellipse(across(tx), up(cy + height), wide * 0.62 * s, wide * 0.7 * s),
          rectangle(across(tx) - 0.7 * s, up(cy + height + wide * 1.3), 1.4 * s, wide * s),
        );
      else
        houses.push(
          polygon([
            [across(tx - wide * 0.72), up(cy + height)],
            [across(tx), up(cy + height + wide * (1.3 + chance()))],
            [across(tx + wide * 0.72), up(cy + height)],
          ]),
        );
      for (let f = 9; f < height - 4; f += 10)
        for (const k of [-0.25, 0.2]) if (chance() < 0.55) lights.push([tx + k * wide, cy + f, 3.1]);
    }
  };
  const trunkLayer = [trunk, ...roots, ...boughs, ...twigs];
  tier(505, 150, 9, 44, 0);
  tier(385, 118, 7, 40, 4);
  tier(265, 150, 9, 46, 0);
  tier(150, 128, 7, 34, 6);
  tier(404, 62, 4, 30, -206);
  tier(366, 66, 4, 32, 232);
  tier(610, 84, 5, 40, 4);
  paintLayer(still, [...trunkLayer, ...houses], {
    tone: "#22121c",
    haze: "#6e3f3c",
    from: up(420),
    to: up(-10),
    thick: 0.75,
    bleed: 0.3,
    rim: 0.85,
    rimWidth: 2.2 * s,
    reach: still.height * 0.95,
  });
  bridges(still, s, across, up);
  paintLights(
    still,
    lights.map(([a, b, size]) => [across(a), up(b), size * s] as const),
    s,
  );
  for (const i of [0, 1, 2, 3, 4, 5]) lights.push([(chance() - 0.5) * 50, 80 + i * 78, 3.4]);
  paintLights(
    still,
    lights.slice(-6).map(([a, b, size]) => [across(a), up(b), size * s] as const),
    s,
  );
}

function bridges(still: Still, s: number, across: (v: number) => number, up: (v: number) => number): void {
  const spans = [
    [-146, 407, -110, 387, 14],
    [168, 369, 120, 387, 12],
    [150, 508, 620, 450, 62],
    [-150, 508, -640, 430, 66],
    [150, 268, 560, 190, 46],
    [-128, 152, -470, 120, 40],
  ] as const;
  let d = "";
  for (const [ax, ay, bx, by, sag] of spans) {
    const deck = smooth(
      [
        [ax, ay],
        [(ax + bx) / 2, (ay + by) / 2 - sag],
        [bx, by],
      ],
      14,
    );
    const rope = deck.map(([px, py], i): Point => [px, py + 9 + 7 * Math.abs(i / (deck.length - 1) - 0.5)]);
    const line = (points: readonly Point[]) =>
      `M${points.map(([px, py]) => `${across(px).toFixed(1)},${up(py).toFixed(1)}`).join("L")}`;
    d += `<path d="${line(deck)}" stroke-width="${3.2 * s}"/><path d="${line(rope)}" stroke-width="${1 * s}"/>`;
    d += deck
      .map(
        ([px, py], i) =>
          `<path d="M${across(px).toFixed(1)},${up(py).toFixed(1)}L${across(px).toFixed(1)},${up(rope[i]?.[1] ?? py).toFixed(1)}" stroke-width="${0.9 * s}"/>`,
      )
      .join("");
  }
  paint(still, `<g fill="none" stroke="#2a161d" stroke-linecap="round">${d}</g>`);
}

function paintLights(
  still: Still,
  lights: readonly (readonly [x: number, y: number, size: number])[],
  s: number,
): void {
  const soft = define(
    still,
    (id) =>
      `<filter id="${id}" x="-10%" y="-10%" width="120%" height="120%"><feGaussianBlur stdDeviation="${4.5 * s}"/></filter>`,
  );
  const glow = lights.map(([x, y, size]) => ellipse(x, y, size * 2)).join("");
  const panes = lights.map(([x, y, size]) => rectangle(x - size / 2, y - size * 0.8, size, size * 1.6)).join("");
  paint(still, `<path d="${glow}" fill="#ff8a1e" opacity=".75" filter="${soft}"/><path d="${panes}" fill="#ffcf83"/>`);
}

function paintAirships(still: Still, u: number): void {
  const { width: w, height: h } = still;
  const wide = still.kind === "wide";
  const fleet: [number, number, number, number][] = [
    [wide ? 0.585 : 0.2, 0.3, 15, 1],
    [wide ? 0.51 : 0.1, 0.43, 8, 1],
    [wide ? 0.93 : 0.9, 0.24, 10, -1],
  ];
  for (const [fx, fy, size, dir] of fleet) {
    const [x, y, s] = [w * fx, h * fy, size * u];
    const at = (points: readonly Point[]) => placed(points, x, y, s * dir, s);
    const shapes = [
      ellipse(x, y, s * 2.6, s * 0.85),
      polygon(
        at([
          [-1.9, -0.3],
          [-3.1, -1.1],
          [-2.9, 0],
          [-3.1, 1.0],
          [-1.9, 0.3],
        ]),
      ),
      polygon(
        at([
          [-1.1, 1.15],
          [1.5, 1.1],
          [1.1, 1.7],
          [-0.8, 1.75],
        ]),
      ),
      ...[-0.8, 0.2, 1.1].map((k) => rectangle(x + k * s * dir, y + s * 0.5, s * 0.08, s * 0.8)),
      polygon(
        at([
          [1.5, 1.15],
          [2.3, 0.9],
          [1.4, 1.35],
        ]),
      ),
    ];
    paintLayer(still, shapes, {
      tone: size > 12 ? "#33192a" : "#5a2f3a",
      bleed: 0.4,
      rim: 0.9,
      rimWidth: s * 0.12,
      reach: h,
    });
    paintLights(
      still,
      [
        [x - 0.3 * s * dir, y + 1.45 * s, s * 0.2],
        [x + 0.5 * s * dir, y + 1.45 * s, s * 0.2],
      ],
      u * 0.7,
    );
  }
}

function paintMotes(still: Still, u: number): void {
  const chance = seeded(90);
  let svg = "";
  for (let i = 0; i < 70; i++) {
    svg += `<path d="${ellipse(chance() * still.width, still.height * (0.35 + chance() * 0.6), (0.8 + chance() ** 3 * 2) * u)}" opacity="${(0.2 + chance() * 0.5).toFixed(2)}"/>`;
  }
  paint(still, `<g fill="#ffb35c">${svg}</g>`);
}
