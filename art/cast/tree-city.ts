import { paintLayer } from "../layer.ts";
import { ellipse, limb, limbAt, marks, type Point, points, polygon, rectangle, shape, smooth } from "../outline.ts";
import { seeded } from "../random.ts";
import { paint, type Still } from "../still.ts";
import { branches, crown } from "../trees.ts";
import { paintLights } from "./lights.ts";

/** Paints a tree of the same kind, far off in the haze. */
export function farTree(still: Still, x: number, y: number, s: number, seed: number, tone: string): void {
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

/** A neighbour at the edge of the picture, to which the bridges lead. */
export function sideTrunk(still: Still, x: number, y: number, s: number, side: number): void {
  const trunk = limb([
    [x + side * 70 * s, y + 60 * s, 260 * s],
    [x + side * 60 * s, y - 80 * s, 150 * s],
    [x + side * 50 * s, y - 300 * s, 110 * s],
    [x + side * 66 * s, y - 560 * s, 96 * s],
    [x + side * 60 * s, y - 900 * s, 70 * s],
  ]);
  const shelves: string[] = [];
  const lights: [number, number, number][] = [];
  const chance = seeded(side + 40);
  for (const [height, half] of points("446,92 188,100 118,96")) {
    const middle = x + side * 50 * s;
    shelves.push(ellipse(middle, y - height * s, half * s, 6 * s));
    shelves.push(shape("-.8,0 .8,0 .36,.5 -.36,.5", middle, y - height * s, half * s));
    for (let i = 0; i < 5; i++) {
      const at = middle + (i - 2) * half * 0.36 * s;
      const tall = (16 + chance() * 22) * s;
      shelves.push(rectangle(at - 8 * s, y - height * s - tall, 16 * s, tall));
      shelves.push(shape("-1.5,0 0,-2.6 1.5,0", at, y - height * s - tall, 8 * s));
      if (chance() < 0.7) lights.push([at, y - height * s - tall * 0.5, 3 * s]);
    }
  }
  const leaves = [
    ...crown(x + side * 70 * s, y - 690 * s, 250 * s, 84 * s, 61 + side, 40),
    ...crown(x + side * 20 * s, y - 560 * s, 130 * s, 36 * s, 65 + side, 22),
  ];
  paintLayer(still, [trunk, ...shelves, ...leaves], {
    tone: "#22101a",
    haze: "#7c463a",
    from: y - 500 * s,
    to: y + 10 * s,
    bleed: 0.3,
    rim: 0.6,
    rimWidth: 2 * s,
    reach: still.height,
  });
  paintLights(still, lights, s);
}

/** The great tree with its tiers of houses; (x, y) is the foot of the trunk, `s` 1 stands about 800 px high. */
export function paintTree(still: Still, x: number, y: number, s: number): void {
  const across = (v: number) => x + v * s;
  const up = (v: number) => y - v * s;
  const bough = (text: string, side = 1) => limbAt(text, x, y, s * side, -s, 10);
  const chance = seeded(12);
  const roots = [-1, 1].flatMap((side) => [
    bough("40,150,90 120,60,62 230,10,40 330,-40,20", side),
    bough("30,110,80 80,20,60 140,-50,40", side),
  ]);
  const trunk = bough("0,-60,310 0,40,220 8,160,160 0,300,136 -10,430,124 4,540,116 0,620,90");
  const boughs = [
    bough("0,470,80 -110,560,54 -230,600,36 -350,640,16"),
    bough("0,430,74 120,540,52 250,590,34 370,610,14"),
    bough("-6,560,66 -60,660,44 -130,730,20"),
    bough("6,560,66 70,670,42 150,750,18"),
    bough("-4,300,46 -120,368,30 -216,392,12"),
    bough("6,250,44 130,330,30 236,352,12"),
  ];
  const twigs = marks("-230,600,-2.2 250,590,-.9 -130,730,-1.9 150,750,-1.2 -350,640,-2.6 370,610,-.6").flatMap(
    ([a, b, angle]) => branches(across(a), up(b), angle, 70 * s, 16 * s, 3, chance, 0.5),
  );
  const leaves = [
    ...crown(across(0), up(720), 330 * s, 84 * s, 1, 90),
    ...crown(across(-270), up(650), 190 * s, 62 * s, 2, 55),
    ...crown(across(290), up(640), 190 * s, 60 * s, 3, 55),
    ...crown(across(20), up(800), 210 * s, 70 * s, 4, 55),
    ...crown(across(-214), up(402), 86 * s, 26 * s, 5, 26),
    ...crown(across(236), up(364), 92 * s, 26 * s, 6, 26),
  ];
  paintLayer(still, leaves, {
    tone: "#150910",
    haze: "#2c131b",
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
    tone: "#180b13",
    haze: "#6a3a34",
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
    [150, 508, 600, 450, 56],
    [-150, 508, -606, 450, 60],
    [150, 268, 596, 192, 44],
    [-128, 152, -606, 122, 40],
  ] as const;
  let d = "";
  for (const [ax, ay, bx, by, sag] of spans) {
    if (bx < -500 && still.kind === "wide") continue;
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
