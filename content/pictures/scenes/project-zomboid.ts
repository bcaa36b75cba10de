// Project Zomboid: a suburban street at dusk, houses and sagging wires, one lamp, and figures that do not hurry.
import { paintFog } from "../fog.ts";
import { paintLayer } from "../layer.ts";
import { ellipse, limb, type Point, placed, polygon, rectangle } from "../outline.ts";
import { seeded } from "../random.ts";
import { paintCloud, paintSky, paintSun } from "../sky.ts";
import { blur, define, openStill, paint, round, type Scene, type Shot, type Still, vertical } from "../still.ts";
import { branches, crown } from "../trees.ts";

export const projectZomboid: Scene = { slug: "projectzomboid", draw };

function draw(shot: Shot): Still {
  const { width: w, height: h } = shot;
  const still = openStill(shot, { x: w * 0.455, y: h * 0.575, radius: h * 0.05 });
  const vx = w * 0.47;
  const vy = h * 0.63;
  paintSky(
    still,
    [
      [0, "#0d0b0f"],
      [0.35, "#26202a"],
      [0.65, "#594044"],
      [0.86, "#a55d38"],
      [1, "#d97a2c"],
    ],
    h * 0.66,
    1,
  );
  paintCloud(still, { seed: 61, top: 0, bottom: h * 0.6, colour: "#a88a80", opacity: 0.24, cover: 0.5, stretch: 6 });
  paintCloud(still, {
    seed: 33,
    top: h * 0.3,
    bottom: h * 0.64,
    colour: "#ff9a4c",
    opacity: 0.42,
    cover: 0.36,
    stretch: 10,
  });
  paintSun(still);
  paintStreet(still, vx, vy);

  // Each row of houses: how near (1 is the front row), tone, and where its gables stand.
  const rows: [number, string, string, number][] = [
    [0.12, "#7c5246", "#b87445", 0.5],
    [0.24, "#523a38", "#8f5f45", 0.4],
    [0.46, "#2c2226", "#54403a", 0.26],
    [0.95, "#0e0c10", "#17131a", 0.1],
  ];
  rows.forEach(([near, tone, haze, bleed], i) => {
    const base = vy + (h - vy) * near * 0.62;
    const size = h * 0.34 * near;
    const shapes: string[] = [];
    const lit: string[] = [];
    for (const side of [-1, 1]) {
      const edge = vx + side * (w * 0.055 + near * w * 0.36);
      const count = i === 3 ? 1 : 2;
      for (let k = 0; k < count; k++) {
        const hx = edge + side * (size * 0.62 + k * size * 1.75);
        shapes.push(...house(hx, base, size * (1 + 0.08 * ((i + k) % 2)), side, i * 3 + k));
        if ((i === 2 && side === 1 && k === 0) || (i === 1 && side === -1 && k === 1))
          lit.push(rectangle(hx - side * size * 0.2, base - size * 0.42, size * 0.13, size * 0.16));
      }
      const tx = edge + side * size * (1.5 + 0.3 * i);
      const chance = seeded(i * 11 + side + 3);
      if (i === 1 || i === 2)
        shapes.push(
          ...(side === 1
            ? branches(tx, base, -1.5, size * 0.55, size * 0.09, 5, chance, 0.5)
            : crown(tx, base - size * 0.9, size * 0.42, size * 0.4, i + 70, 20)),
          rectangle(tx - size * 0.03, base - size * 0.7, size * 0.06, size * 0.7),
        );
      shapes.push(...fence(edge - side * size * 0.1, edge + side * w, base + size * 0.02, size * 0.17));
    }
    paintLayer(still, shapes, {
      tone,
      haze,
      from: base - size,
      to: base + size * 0.1,
      bleed,
      rim: 0.75,
      rimWidth: 1.2 + near * 2.4,
      reach: h * 0.9,
    });
    paint(still, `<g fill="#ffab4d">${lit.map((d) => `<path d="${d}"/>`).join("")}</g>`);
    paintFog(still, {
      seed: 40 + i,
      y: base,
      height: h * (0.07 + near * 0.12),
      colour: i < 2 ? "#b88566" : "#7d655e",
      opacity: 0.5 - i * 0.09,
      torn: 0.7,
      warm: 0.5 - i * 0.1,
    });
    if (i === 1)
      horde(
        still,
        vx,
        vy,
        [
          [-0.35, 0.17, 2],
          [0.4, 0.2, 5],
          [0.05, 0.15, 8],
          [-0.05, 0.21, 4],
        ],
        "#4a322c",
      );
    if (i === 2)
      horde(
        still,
        vx,
        vy,
        [
          [-0.62, 0.36, 1],
          [0.52, 0.33, 6],
          [0.2, 0.42, 3],
        ],
        "#21181a",
      );
  });
  paintPoles(still, vx, vy);
  horde(
    still,
    vx,
    vy,
    [
      [-0.2, 0.66, 9],
      [0.5, 0.74, 7],
    ],
    "#0b090c",
  );
  paintLamp(still);
  paintFog(still, {
    seed: 55,
    y: h * 0.93,
    height: h * 0.16,
    colour: "#5c4a48",
    opacity: 0.35,
    torn: 0.85,
    warm: 0.15,
  });
  paintCrows(still);
  return still;
}

function paintStreet(still: Still, vx: number, vy: number): void {
  const { width: w, height: h } = still;
  const lawn = vertical(still, vy - 4, h, [
    [0, "#a7653a"],
    [0.12, "#4c342e"],
    [0.5, "#181316"],
    [1, "#060507"],
  ]);
  paint(still, `<rect y="${vy - 4}" width="${w}" height="${h - vy + 4}" fill="${lawn}"/>`);
  const road = (half: number) =>
    polygon([
      [vx - half * 0.045, vy],
      [vx + half * 0.045, vy],
      [vx + half, h + 4],
      [vx - half, h + 4],
    ]);
  const tarmac = vertical(still, vy, h, [
    [0, "#ff9a40"],
    [0.06, "#b06232"],
    [0.25, "#4a3430"],
    [0.6, "#1d181c"],
    [1, "#0a090c"],
  ]);
  paint(still, `<path d="${road(w * 0.46)}" fill="#2b2022"/><path d="${road(w * 0.4)}" fill="${tarmac}"/>`);
  const sheen = round(
    still,
    still.sun.x,
    vy,
    h * 0.4,
    [
      [0, "#ff9a3c", 0.75],
      [0.4, "#ff8000", 0.25],
      [1, "#ff8000", 0],
    ],
    0.55,
  );
  paint(still, `<path d="${road(w * 0.4)}" fill="${sheen}"/>`);
  let dashes = "";
  for (let i = 0; i < 9; i++) {
    const a = 1.52 ** i * 0.012;
    const b = a * 1.26;
    const p = (t: number, off: number): Point => [vx + off * t * w * 0.011, vy + t * (h - vy)];
    dashes += polygon([p(a, -1), p(a, 1), p(b, 1), p(b, -1)]);
  }
  paint(still, `<path d="${dashes}" fill="#d08a50" opacity=".5"/>`);
}

/** A gabled house seen from the street; `side` turns its chimney and porch. */
function house(x: number, y: number, s: number, side: number, kind: number): string[] {
  const at = (points: readonly Point[]) => polygon(placed(points, x, y, s * -side, s));
  const wall = at([
    [-0.62, 0.06],
    [-0.62, -0.5],
    [0.62, -0.5],
    [0.62, 0.06],
  ]);
  const gable =
    kind % 2 === 0
      ? at([
          [-0.74, -0.48],
          [-0.1, -0.98],
          [0.5, -0.48],
        ])
      : at([
          [-0.72, -0.48],
          [-0.52, -0.88],
          [0.5, -0.88],
          [0.74, -0.48],
        ]);
  const wing = at([
    [0.1, -0.46],
    [0.44, -0.76],
    [0.8, -0.46],
    [0.74, -0.46],
    [0.74, 0.06],
    [0.1, 0.06],
  ]);
  const chimney = at([
    [-0.44, -0.7],
    [-0.44, -1.08],
    [-0.48, -1.08],
    [-0.48, -1.13],
    [-0.26, -1.13],
    [-0.26, -1.08],
    [-0.3, -1.08],
    [-0.3, -0.7],
  ]);
  const porch = at([
    [0.58, -0.3],
    [1.0, -0.24],
    [1.0, -0.2],
    [0.97, -0.2],
    [0.97, 0.06],
    [0.94, 0.06],
    [0.94, -0.2],
    [0.58, -0.2],
  ]);
  const dish = ellipse(x + s * 0.3 * side, y - s * 0.86, s * 0.05);
  return [wall, gable, wing, chimney, porch, ...(kind % 3 === 0 ? [dish] : [])];
}

function fence(from: number, to: number, y: number, s: number): string[] {
  const [a, b] = from < to ? [from, to] : [to, from];
  const out = [rectangle(a, y - s * 0.72, b - a, s * 0.1), rectangle(a, y - s * 0.34, b - a, s * 0.1)];
  for (let x = a; x < Math.min(b, a + s * 60); x += s * 0.34)
    out.push(
      polygon([
        [x, y + s * 0.1],
        [x, y - s * 0.85],
        [x + s * 0.09, y - s],
        [x + s * 0.18, y - s * 0.85],
        [x + s * 0.18, y + s * 0.1],
      ]),
    );
  return out;
}

function paintPoles(still: Still, vx: number, vy: number): void {
  const { width: w, height: h } = still;
  const depths = [1.25, 0.62, 0.33, 0.18, 0.1, 0.055];
  const poles = depths.map((near) => ({
    x: vx - near * w * 0.335,
    y: vy + (h - vy) * near * 0.8,
    tall: h * 0.98 * near,
    near,
  }));
  let wires = "";
  for (const level of [0.9, 0.83]) {
    for (const arm of [-1, -0.35, 0.35, 1]) {
      if (level < 0.9 && Math.abs(arm) < 0.5) continue;
      for (let i = 0; i + 1 < poles.length; i++) {
        const [a, b] = [poles[i], poles[i + 1]];
        if (!a || !b) continue;
        const end = (p: typeof a): Point => [p.x + arm * p.tall * 0.1, p.y - p.tall * level];
        const [p, q] = [end(a), end(b)];
        const sag = a.tall * 0.13;
        wires += `<path d="M${p[0].toFixed(1)},${p[1].toFixed(1)}Q${((p[0] + q[0]) / 2 + (q[0] - p[0]) * 0.16).toFixed(1)},${((p[1] + q[1]) / 2 + sag).toFixed(1)} ${q[0].toFixed(1)},${q[1].toFixed(1)}" stroke-width="${(0.7 + a.near * 1.8).toFixed(2)}"/>`;
      }
    }
  }
  paint(still, `<g fill="none" stroke="#0c0a0d" opacity=".9">${wires}</g>`);
  for (const { x, y, tall, near } of [...poles].reverse()) {
    const t = tall * 0.011;
    const shapes = [
      polygon([
        [x - t, y - tall],
        [x + t, y - tall],
        [x + t * 1.5, y + 4],
        [x - t * 1.5, y + 4],
      ]),
      rectangle(x - tall * 0.12, y - tall * 0.9, tall * 0.24, tall * 0.016),
      rectangle(x - tall * 0.12, y - tall * 0.83, tall * 0.24, tall * 0.014),
      rectangle(x + t * 1.2, y - tall * 0.78, tall * 0.045, tall * 0.08),
    ];
    for (const arm of [-1, -0.35, 0.35, 1])
      shapes.push(rectangle(x + arm * tall * 0.1 - tall * 0.006, y - tall * 0.925, tall * 0.012, tall * 0.03));
    paintLayer(still, shapes, {
      tone: near > 0.5 ? "#0b090c" : near > 0.2 ? "#251b1d" : "#5a3c33",
      bleed: 0.2,
      rim: 0.8,
      rimWidth: 1 + near * 2,
      reach: h * 0.9,
    });
  }
}

/** Figures on the road: [across -1..1, nearness 0..1, gait]. */
function horde(
  still: Still,
  vx: number,
  vy: number,
  list: readonly (readonly [across: number, near: number, gait: number])[],
  tone: string,
): void {
  const { width: w, height: h, sun } = still;
  for (const [across, near, gait] of list) {
    const x = vx + across * near * w * 0.42;
    const y = vy + (h - vy) * near;
    const s = h * 0.4 * near;
    const slope = ((x - sun.x) / (y - sun.y + 1)) * 0.9;
    const shade = define(
      still,
      (id) =>
        `<linearGradient id="${id}" x1="0" x2="0" y1="0" y2="1"><stop offset="0" stop-color="#080608" stop-opacity=".7"/><stop offset="1" stop-color="#080608" stop-opacity="0"/></linearGradient>`,
    );
    const long = s * 0.75;
    paint(
      still,
      `<path d="${polygon([
        [x - s * 0.11, y],
        [x + s * 0.11, y],
        [x + slope * long + s * 0.2, y + long],
        [x + slope * long - s * 0.16, y + long],
      ])}" fill="${shade}" filter="${blur(still, s * 0.02 + 0.4)}"/>`,
    );
    paintLayer(still, figure(x, y, s, gait), {
      tone,
      bleed: 0.22,
      rim: 0.9,
      rimWidth: 1.2 + near * 2.4,
      reach: h * 0.8,
    });
  }
}

/** A shambling figure, `s` pixels tall, standing at (x, y). */
function figure(x: number, y: number, s: number, gait: number): string[] {
  const chance = seeded(gait * 17);
  const dir = gait % 2 === 0 ? 1 : -1;
  const m = (list: readonly (readonly [number, number, number])[]) =>
    limb(
      list.map(([a, b, c]) => [x + a * s * dir, y - b * s, c * s] as const),
      6,
    );
  const lean = 0.05 + chance() * 0.06;
  const step = 0.05 + chance() * 0.06;
  const reach = gait % 3 === 0 ? 1 : 0;
  return [
    m([
      [0, 0.5, 0.15],
      [lean * 0.4, 0.66, 0.19],
      [lean, 0.8, 0.22],
      [lean * 1.15, 0.845, 0.1],
    ]),
    ellipse(x + (lean * 1.9 + 0.015) * s * dir, y - 0.91 * s, s * 0.06, s * 0.076, dir * 24),
    m([
      [lean * 1.2, 0.83, 0.08],
      [lean * 1.8, 0.9, 0.07],
    ]),
    m([
      [-0.015, 0.52, 0.11],
      [-step * 0.7, 0.27, 0.082],
      [-step * 1.5, 0.03, 0.06],
      [-step * 1.5 + 0.06, 0.0, 0.04],
    ]),
    m([
      [0.02, 0.52, 0.11],
      [step * 1.1, 0.28, 0.082],
      [step * 0.9, 0.03, 0.06],
      [step + 0.07, 0.0, 0.04],
    ]),
    reach
      ? m([
          [lean + 0.03, 0.78, 0.07],
          [lean + 0.17, 0.7, 0.055],
          [lean + 0.3, 0.72, 0.045],
          [lean + 0.35, 0.69, 0.03],
        ])
      : m([
          [lean + 0.07, 0.79, 0.07],
          [lean + 0.12, 0.62, 0.055],
          [lean + 0.15, 0.45, 0.042],
          [lean + 0.14, 0.4, 0.035],
        ]),
    m([
      [lean - 0.09, 0.79, 0.07],
      [lean - 0.13, 0.62, 0.055],
      [lean - 0.08, 0.44, 0.042],
      [lean - 0.06, 0.39, 0.035],
    ]),
  ];
}

function paintLamp(still: Still): void {
  const { width: w, height: h } = still;
  const x = w * 0.8;
  const [top, foot] = [h * 0.2, h * 0.99];
  const head: Point = [x - h * 0.135, top + h * 0.012];
  const cone = vertical(still, head[1], foot, [
    [0, "#ffc98a", 0.34],
    [0.5, "#ff9a4a", 0.1],
    [1, "#ff9a4a", 0],
  ]);
  paint(
    still,
    `<g style="mix-blend-mode:screen"><path d="${polygon([
      [head[0] - h * 0.018, head[1]],
      [head[0] + h * 0.018, head[1]],
      [head[0] + h * 0.2, foot],
      [head[0] - h * 0.2, foot],
    ])}" fill="${cone}" filter="${blur(still, h * 0.012)}"/></g>`,
  );
  const post = limb([
    [x, foot, h * 0.017],
    [x, h * 0.5, h * 0.013],
    [x, top + h * 0.06, h * 0.011],
    [x - h * 0.02, top + h * 0.012, h * 0.01],
    [x - h * 0.07, top - h * 0.004, h * 0.009],
    [head[0] + h * 0.02, top, h * 0.009],
  ]);
  const shade = polygon([
    [head[0] - h * 0.034, head[1]],
    [head[0] - h * 0.016, head[1] - h * 0.02],
    [head[0] + h * 0.03, head[1] - h * 0.018],
    [head[0] + h * 0.034, head[1]],
  ]);
  paintLayer(still, [post, shade], { tone: "#08070a", rim: 0.7, rimWidth: 2.4, reach: h * 0.9 });
  const glow = round(still, head[0], head[1] + h * 0.004, h * 0.12, [
    [0, "#ffe0ae", 0.9],
    [0.12, "#ffb25c", 0.5],
    [0.5, "#ff8000", 0.12],
    [1, "#ff8000", 0],
  ]);
  paint(
    still,
    `<circle cx="${head[0]}" cy="${head[1]}" r="${h * 0.12}" fill="${glow}"/><path d="${ellipse(head[0], head[1] + 1, h * 0.024, h * 0.006)}" fill="#ffe9c6"/>`,
  );
}

function paintCrows(still: Still): void {
  const { width: w, height: h } = still;
  const chance = seeded(14);
  let d = "";
  for (let i = 0; i < 9; i++) {
    const [x, y, s] = [w * (0.52 + chance() * 0.22), h * (0.12 + chance() * 0.2), h * (0.005 + chance() * 0.007)];
    d += `M${x - s * 1.6},${y - s * 0.6}Q${x - s * 0.6},${y - s * 0.8} ${x},${y}Q${x + s * 0.7},${y - s} ${x + s * 1.6},${y - s * 0.2}`;
  }
  paint(still, `<path d="${d}" fill="none" stroke="#0d0a0c" stroke-width="${h * 0.0026}" stroke-linecap="round"/>`);
}
