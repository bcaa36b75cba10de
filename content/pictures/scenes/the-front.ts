// The Front: a fortified ridge, walls and guns under smoke, a watchtower, and a searchlight feeling the sky.
import { paintFog } from "../fog.ts";
import { paintLayer } from "../layer.ts";
import { ellipse, limb, type Point, placed, polygon, rectangle } from "../outline.ts";
import { seeded } from "../random.ts";
import { ridge, swell } from "../ridge.ts";
import { paintCloud, paintSky, paintSun } from "../sky.ts";
import { blur, define, openStill, paint, round, type Scene, type Shot, type Still } from "../still.ts";

export const theFront: Scene = { slug: "thefront", draw };

function draw(shot: Shot): Still {
  const { width: w, height: h } = shot;
  const u = h / 862;
  const still = openStill(shot, { x: w * 0.2, y: h * 0.6, radius: h * 0.045 });
  paintSky(
    still,
    [
      [0, "#0e0a09"],
      [0.35, "#2a1a16"],
      [0.65, "#5e3426"],
      [0.86, "#a85428"],
      [1, "#d9701f"],
    ],
    h * 0.7,
    1,
  );
  paintCloud(still, {
    seed: 81,
    top: 0,
    bottom: h * 0.66,
    colour: "#8a6a5c",
    opacity: 0.36,
    cover: 0.56,
    stretch: 3.4,
    grain: 0.0022,
  });
  paintCloud(still, {
    seed: 15,
    top: h * 0.36,
    bottom: h * 0.7,
    colour: "#ff8d3c",
    opacity: 0.4,
    cover: 0.36,
    stretch: 9,
  });
  paintSun(still);
  paintSearchlight(still, w * 0.735, h * 0.305, -2.42, h * 1.05, 0.5);
  paintSearchlight(still, w * 0.95, h * 0.5, -1.9, h * 0.8, 0.22);

  const far = ridge(shot, {
    seed: 12,
    y: h * 0.66,
    rise: h * 0.03,
    stretch: w * 0.14,
    roughness: 0.55,
    lift: (x) => h * 0.12 * swell(x, w * 0.62, w * 0.5),
  });
  paintLayer(still, [far.outline, ...ruins(w, far.at, u)], {
    tone: "#6a4234",
    haze: "#a8602e",
    from: h * 0.5,
    to: h * 0.74,
    bleed: 0.5,
    rim: 0.3,
    rimWidth: 1.6,
  });
  paintSmoke(still, w * 0.42, h * 0.6, 0.55 * u, 3, "#3a2620", 0.6);
  paintFog(still, { seed: 2, y: h * 0.68, height: h * 0.18, colour: "#b0775a", opacity: 0.5, warm: 0.6 });
  paintSmoke(still, w * 0.93, h * 0.5, 0.95 * u, 8, "#1b1311", 0.75);

  const hill = (x: number) => h * (0.36 * swell(x, w * 0.79, w * 0.52) + 0.05 * swell(x, w * 0.2, w * 0.2));
  const main = ridge(shot, { seed: 31, y: h * 0.83, rise: h * 0.018, stretch: w * 0.1, roughness: 0.55, lift: hill });
  const works = [
    ...wall(w, main.at, u),
    ...watchtower(w * 0.735, main.at(w * 0.735) + 6, 25 * u),
    ...turret(w * 0.565, main.at(w * 0.565) - 34 * u, 17 * u, -16),
    ...turret(w * 0.865, main.at(w * 0.865) - 34 * u, 19 * u, -24),
    ...bunker(w * 0.41, main.at(w * 0.41) + 8 * u, 22 * u),
    ...radar(w * 0.645, main.at(w * 0.645) - 20 * u, 13 * u),
  ];
  paintLayer(still, [main.outline, ...works], {
    tone: "#1a110f",
    haze: "#4a2c20",
    from: h * 0.35,
    to: h * 0.9,
    thick: 0.85,
    bleed: 0.24,
    rim: 1,
    rimWidth: 2.8 * u,
    reach: h * 1.1,
  });
  paintSlits(still, main.at, u);
  paintFog(still, { seed: 20, y: h * 0.84, height: h * 0.18, colour: "#8a5a44", opacity: 0.5, torn: 0.75, warm: 0.5 });

  const near = ridge(shot, {
    seed: 47,
    y: h * 0.955,
    rise: h * 0.016,
    stretch: w * 0.08,
    roughness: 0.55,
    lift: (x) => h * 0.05 * swell(x, w * 0.08, w * 0.3),
  });
  const traps = [
    [0.09, 46],
    [0.24, 34],
    [0.37, 42],
    [0.55, 36],
    [0.72, 48],
    [0.93, 40],
  ].flatMap(([fx, size]) => hedgehog(w * (fx ?? 0), near.at(w * (fx ?? 0)) + 6 * u, (size ?? 0) * u));
  paintLayer(still, [near.outline, ...traps], {
    tone: "#070505",
    rim: 0.9,
    rimWidth: 2.6 * u,
    reach: w * 0.6,
    bleed: 0.08,
  });
  paintWire(still, near.at, u);
  paintEmbers(still, u);
  return still;
}

function wall(w: number, at: (x: number) => number, u: number): string[] {
  const out: string[] = [];
  const panel = 46 * u;
  for (let x = w * 0.47; x < w + panel; x += panel) {
    const y = at(x + panel / 2);
    const top = y - 46 * u;
    out.push(rectangle(x, top, panel - 3 * u, 80 * u), rectangle(x - 4 * u, top - 7 * u, 9 * u, 100 * u));
    out.push(rectangle(x + 8 * u, top - 9 * u, 12 * u, 12 * u), rectangle(x + 28 * u, top - 9 * u, 12 * u, 12 * u));
  }
  return out;
}

function watchtower(x: number, y: number, s: number): string[] {
  const at = (points: readonly Point[]) => polygon(placed(points, x, y, s));
  const beam = (a: Point, b: Point, t: number) =>
    limb(
      [
        [x + a[0] * s, y + a[1] * s, t * s],
        [x + b[0] * s, y + b[1] * s, t * s],
      ],
      2,
    );
  const out = [beam([-1.5, 0], [-0.95, -7], 0.26), beam([1.5, 0], [0.95, -7], 0.26)];
  for (let i = 0; i < 4; i++) {
    const [a, b] = [-i * 1.75, -(i + 1) * 1.75];
    const half = (yy: number) => 1.5 + (yy / 7) * 0.55;
    out.push(
      beam([-half(a), a], [half(b), b], 0.12),
      beam([half(a), a], [-half(b), b], 0.12),
      beam([-half(b), b], [half(b), b], 0.14),
    );
  }
  out.push(
    at([
      [-1.75, -6.9],
      [1.75, -6.9],
      [1.6, -7.3],
      [-1.6, -7.3],
    ]),
    at([
      [-1.5, -7.2],
      [-1.5, -8.0],
      [1.5, -8.0],
      [1.5, -7.2],
    ]),
    at([
      [-1.45, -7.9],
      [-1.45, -9.2],
      [-1.2, -9.2],
      [-1.2, -7.9],
    ]),
    at([
      [1.2, -7.9],
      [1.2, -9.2],
      [1.45, -9.2],
      [1.45, -7.9],
    ]),
    at([
      [-2.0, -9.1],
      [-1.3, -9.9],
      [1.3, -9.9],
      [2.0, -9.1],
    ]),
    at([
      [-0.05, -9.8],
      [-0.05, -12],
      [0.05, -12],
      [0.05, -9.8],
    ]),
  );
  out.push(ellipse(x - 0.25 * s, y - 8.35 * s, 0.55 * s, 0.62 * s, 40));
  return out;
}

/** A gun house with two barrels raised by `degrees` towards the left. */
function turret(x: number, y: number, s: number, degrees: number): string[] {
  const at = (points: readonly Point[]) => polygon(placed(points, x, y, s));
  const a = ((180 - degrees) * Math.PI) / 180;
  const barrel = (off: number) => {
    const [ox, oy] = [x - 0.6 * s, y + (-1.5 + off) * s];
    const end = (r: number): readonly [number, number] => [
      ox + Math.cos(a) * r * s,
      oy - Math.abs(Math.sin(a)) * r * s,
    ];
    return [
      limb(
        [
          [ox, oy, 0.5 * s],
          [...end(3.4), 0.36 * s],
          [...end(6.2), 0.3 * s],
        ],
        4,
      ),
      limb(
        [
          [...end(5.7), 0.52 * s],
          [...end(6.5), 0.52 * s],
        ],
        2,
      ),
    ];
  };
  return [
    at([
      [-2.7, 1],
      [-2.4, -0.2],
      [2.4, -0.2],
      [2.7, 1],
    ]),
    at([
      [-2.1, -0.1],
      [-1.7, -1.9],
      [-0.6, -2.5],
      [1.3, -2.4],
      [2.0, -1.5],
      [2.2, -0.1],
    ]),
    at([
      [0.5, -2.3],
      [0.5, -3.1],
      [1.2, -3.1],
      [1.2, -2.3],
    ]),
    at([
      [1.6, -1.8],
      [1.68, -4.6],
      [1.74, -4.6],
      [1.8, -1.8],
    ]),
    ...barrel(0),
    ...barrel(0.55),
  ];
}

function bunker(x: number, y: number, s: number): string[] {
  const at = (points: readonly Point[]) => polygon(placed(points, x, y, s));
  return [
    at([
      [-3.4, 0.6],
      [-2.5, -1.6],
      [2.5, -1.6],
      [3.4, 0.6],
    ]),
    at([
      [-2.9, -1.5],
      [-2.6, -2.0],
      [2.6, -2.0],
      [2.9, -1.5],
    ]),
    limb(
      [
        [x - 2 * s, y - 1.0 * s, 0.3 * s],
        [x - 4.4 * s, y - 1.25 * s, 0.22 * s],
      ],
      2,
    ),
  ];
}

function radar(x: number, y: number, s: number): string[] {
  const dish = polygon(
    placed(
      [
        [-1.9, -5.6],
        [-1.5, -4.4],
        [-0.5, -3.3],
        [0.6, -3.0],
        [-0.1, -3.9],
        [-1.0, -5.0],
      ],
      x,
      y,
      s,
    ),
  );
  return [
    limb(
      [
        [x, y + s, 0.5 * s],
        [x, y - 3.6 * s, 0.3 * s],
      ],
      2,
    ),
    dish,
    limb(
      [
        [x - 0.6 * s, y - 4.2 * s, 0.12 * s],
        [x - 1.7 * s, y - 3.4 * s, 0.1 * s],
      ],
      2,
    ),
    ellipse(x - 1.75 * s, y - 3.4 * s, 0.22 * s),
  ];
}

function ruins(w: number, at: (x: number) => number, u: number): string[] {
  const chance = seeded(5);
  const out: string[] = [];
  for (let i = 0; i < 16; i++) {
    const x = w * (0.28 + chance() * 0.4);
    const [wide, tall] = [(8 + chance() * 16) * u, (12 + chance() * 38) * u];
    out.push(
      polygon([
        [x, at(x) + 8],
        [x, at(x) - tall],
        [x + wide * 0.4, at(x) - tall * 0.8],
        [x + wide * 0.6, at(x) - tall * 1.05],
        [x + wide, at(x) - tall * 0.6],
        [x + wide, at(x) + 8],
      ]),
    );
  }
  return out;
}

function hedgehog(x: number, y: number, s: number): string[] {
  const bar = (ax: number, ay: number, bx: number, by: number) =>
    limb(
      [
        [x + ax * s, y + ay * s, 0.17 * s],
        [x + bx * s, y + by * s, 0.17 * s],
      ],
      2,
    );
  return [bar(-0.75, 0.1, 0.6, -1.35), bar(0.8, 0.1, -0.6, -1.3), bar(-0.15, 0.15, 0.22, -1.55)];
}

function paintWire(still: Still, at: (x: number) => number, u: number): void {
  let coils = "";
  for (let x = 0; x < still.width; x += 15 * u)
    coils += `<ellipse cx="${x.toFixed(1)}" cy="${(at(x) - 9 * u).toFixed(1)}" rx="${13 * u}" ry="${17 * u}"/>`;
  paint(still, `<g fill="none" stroke="#070505" stroke-width="${1.3 * u}" opacity=".85">${coils}</g>`);
}

function paintSlits(still: Still, at: (x: number) => number, u: number): void {
  const { width: w } = still;
  const tower = at(w * 0.735) + 6;
  const panes = [
    rectangle(w * 0.735 + 8 * u, tower - 8.75 * 25 * u, 16 * u, 9 * u),
    rectangle(w * 0.41 - 30 * u, at(w * 0.41) - 22 * u, 24 * u, 4 * u),
    rectangle(w * 0.41 + 12 * u, at(w * 0.41) - 22 * u, 24 * u, 4 * u),
    rectangle(w * 0.66, at(w * 0.66) - 22 * u, 7 * u, 7 * u),
    rectangle(w * 0.8, at(w * 0.8) - 22 * u, 7 * u, 7 * u),
  ].join("");
  paint(still, `<path d="${panes}" fill="#ff8000" filter="${blur(still, 7 * u)}"/><path d="${panes}" fill="#ffc27a"/>`);
}

function paintSearchlight(still: Still, x: number, y: number, angle: number, length: number, strength: number): void {
  const fade = round(still, x, y, length, [
    [0, "#fff0d8", strength],
    [0.3, "#ffe0b8", strength * 0.5],
    [1, "#ffd9a8", 0],
  ]);
  const end = (turn: number): Point => [x + Math.cos(angle + turn) * length, y + Math.sin(angle + turn) * length];
  const cone = polygon([[x - 5, y - 3], end(-0.075), end(0.075), [x + 5, y + 3]]);
  const core = polygon([[x - 3, y - 2], end(-0.03), end(0.03), [x + 3, y + 2]]);
  paint(
    still,
    `<g style="mix-blend-mode:screen"><path d="${cone}" fill="${fade}" filter="${blur(still, 7)}"/><path d="${core}" fill="${fade}" opacity=".6" filter="${blur(still, 4)}"/></g>`,
  );
  const lamp = round(still, x, y, 46, [
    [0, "#fff4e0", Math.min(1, strength * 1.9)],
    [0.2, "#ffd9a0", strength],
    [1, "#ff8000", 0],
  ]);
  paint(still, `<circle cx="${x}" cy="${y}" r="46" fill="${lamp}"/>`);
}

/** A column of smoke, widening and bending with the wind. */
function paintSmoke(still: Still, x: number, y: number, s: number, seed: number, tone: string, opacity: number): void {
  const chance = seeded(seed);
  const puffs: string[] = [];
  for (let i = 0; i < 90; i++) {
    const t = i / 90;
    const rise = t * 520 * s;
    const drift = t ** 1.7 * 330 * s;
    const size = (9 + t * 78) * s * (0.6 + chance() * 0.6);
    puffs.push(
      ellipse(
        x + drift + (chance() - 0.5) * (16 + t * 120) * s,
        y - rise + (chance() - 0.5) * 40 * s * t,
        size * 1.1,
        size * 0.85,
        chance() * 90,
      ),
    );
  }
  const fade = define(
    still,
    (id) =>
      `<linearGradient id="m${id}" gradientUnits="userSpaceOnUse" x1="0" x2="0" y1="${y}" y2="${y - 560 * s}"><stop offset="0" stop-color="#ffffff" stop-opacity=".95"/><stop offset=".5" stop-color="#ffffff" stop-opacity=".7"/><stop offset="1" stop-color="#ffffff" stop-opacity="0"/></linearGradient><mask id="${id}"><rect width="${still.width}" height="${still.height}" fill="url(#m${id})"/></mask>`,
  );
  paint(still, `<g mask="${fade}" opacity="${opacity}"><g filter="${blur(still, 9 * s)}">`);
  paintLayer(still, puffs, { tone, bleed: 0.4, rim: 0.5, rimWidth: 6, reach: still.height * 1.1 });
  paint(still, "</g></g>");
}

function paintEmbers(still: Still, u: number): void {
  const chance = seeded(77);
  let svg = "";
  for (let i = 0; i < 80; i++)
    svg += `<path d="${ellipse(chance() * still.width, still.height * (0.2 + chance() * 0.75), (0.7 + chance() ** 3 * 1.8) * u)}" opacity="${(0.25 + chance() * 0.65).toFixed(2)}"/>`;
  paint(still, `<g fill="#ff9a3c">${svg}</g>`);
}
