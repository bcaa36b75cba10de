// Skyrim Together: steep snowy crags, a ruined stone arch on the pass, and a dragon's wing far off.
import { paintFog } from "../fog.ts";
import { paintLayer } from "../layer.ts";
import { ellipse, limb, type Point, placed, polygon, rectangle, smooth } from "../outline.ts";
import { fractalNoise, seeded } from "../random.ts";
import { ridge, swell } from "../ridge.ts";
import { paintCloud, paintShafts, paintSky, paintStars, paintSun } from "../sky.ts";
import { define, openStill, paint, type Scene, type Shot, type Still } from "../still.ts";
import { wood } from "../trees.ts";

const PLACES = {
  card: { sun: [0.3, 0.52], arch: [0.63, 0.8], size: 1, dragon: [0.47, 0.25, 0.92], peaks: [0.83, 0.06] },
  wide: { sun: [0.6, 0.5], arch: [0.8, 0.79], size: 1.22, dragon: [0.69, 0.235, 1.05], peaks: [0.93, 0.3] },
  tall: { sun: [0.34, 0.56], arch: [0.66, 0.79], size: 1.05, dragon: [0.56, 0.36, 0.8], peaks: [0.9, 0.02] },
} as const;

export const skyrim: Scene = { slug: "skyrimtogheter", draw };

function draw(shot: Shot): Still {
  const { width: w, height: h } = shot;
  const place = PLACES[shot.kind];
  const u = h / 862;
  const still = openStill(shot, { x: w * place.sun[0], y: h * place.sun[1], radius: h * 0.028 });
  paintSky(
    still,
    [
      [0, "#070b18"],
      [0.3, "#14223c"],
      [0.62, "#3a4a66"],
      [0.85, "#7c6a66"],
      [1, "#b9784a"],
    ],
    h * 0.64,
    0.85,
  );
  paintStars(still, 71, 130, h * 0.4);
  paintCloud(still, {
    seed: 14,
    top: 0,
    bottom: h * 0.6,
    colour: "#8ea3c4",
    opacity: 0.22,
    cover: 0.44,
    stretch: 4,
    grain: 0.002,
  });
  paintCloud(still, {
    seed: 3,
    top: h * 0.34,
    bottom: h * 0.62,
    colour: "#ff9c4c",
    opacity: 0.3,
    cover: 0.36,
    stretch: 8,
  });
  paintShafts(still, [-152, -118, -84, -55, -28, -8], h * 0.75, 0.14);
  paintSun(still);

  const [right, left] = place.peaks;
  crag(still, {
    seed: 5,
    y: h * 0.6,
    peaks: [
      [left + 0.02, 0.2, 0.2],
      [0.52, 0.17, 0.16],
      [right - 0.1, 0.26, 0.22],
    ],
    tone: "#4a5872",
    snow: "#a9b2c4",
    haze: "#9a7f74",
    foot: h * 0.66,
    strength: 0.4,
    bleed: 0.35,
  });
  paintFog(still, { seed: 3, y: h * 0.6, height: h * 0.2, colour: "#a7a3a8", opacity: 0.5, warm: 0.5 });
  crag(still, {
    seed: 11,
    y: h * 0.7,
    peaks: [
      [left - 0.03, 0.44, 0.19],
      [0.44, 0.07, 0.14],
      [right, 0.54, 0.24],
    ],
    tone: "#27344c",
    snow: "#b4c0d6",
    haze: "#6f6f7c",
    foot: h * 0.76,
    strength: 0.62,
    bleed: 0.26,
  });
  paintDragon(still, w * place.dragon[0], h * place.dragon[1], 21 * u * place.dragon[2]);
  paintFog(still, { seed: 21, y: h * 0.68, height: h * 0.2, colour: "#9aa3b6", opacity: 0.55, torn: 0.75, warm: 0.35 });

  const pass = ridge(shot, {
    seed: 33,
    y: h * 0.86,
    rise: h * 0.018,
    stretch: w * 0.11,
    roughness: 0.55,
    lift: (x) =>
      h *
      (0.07 * swell(x, w * place.arch[0], w * 0.26) +
        0.15 * swell(x, w * (right + 0.2), w * 0.25) -
        0.03 * swell(x, w * place.sun[0], w * 0.2)),
  });
  const trees = wood(pass, {
    seed: 7,
    from: 0,
    to: w,
    gap: 13 * u,
    height: h * 0.12,
    grows: (x) => (Math.abs(x / w - place.arch[0]) < 0.2 ? 0 : 0.75),
  });
  const x = w * place.arch[0];
  const stones = arch(x, pass.at, 33 * u * place.size);
  paintLayer(still, [...stones, ...trees], {
    tone: "#0d1420",
    haze: "#1b2434",
    from: h * 0.5,
    to: h * 0.84,
    bleed: 0.16,
    rim: 1,
    rimWidth: 3 * u,
    reach: h * 0.9,
  });
  paintLayer(still, [pass.outline], {
    tone: "#4c5a75",
    haze: "#121a28",
    from: h * 0.74,
    to: h * 0.97,
    bleed: 0.3,
    rim: 0.8,
    rimWidth: 2 * u,
    reach: h * 0.9,
  });
  paintFog(still, { seed: 37, y: h * 0.92, height: h * 0.16, colour: "#8d9ab2", opacity: 0.42, torn: 0.8, warm: 0.2 });

  const near = ridge(shot, {
    seed: 52,
    y: h * 1.0,
    rise: h * 0.03,
    stretch: w * 0.13,
    roughness: 0.58,
    lift: (px) => h * (0.2 * swell(px, -w * 0.02, w * 0.24) + 0.08 * swell(px, w * 1.02, w * 0.3)),
  });
  const nearTrees = wood(near, { seed: 19, from: -20, to: w * 0.24, gap: 34 * u, height: h * 0.3 });
  paintLayer(still, [near.outline, ...nearTrees], {
    tone: "#05080e",
    rim: 0.4,
    rimWidth: 1.8 * u,
    reach: w * 0.5,
    bleed: 0.06,
  });
  paintSnowfall(still);
  return still;
}

type Crag = {
  seed: number;
  y: number;
  peaks: readonly (readonly [x: number, rise: number, reach: number])[];
  tone: string;
  snow: string;
  haze: string;
  foot: number;
  strength: number;
  bleed: number;
};

/** A chain of pointed peaks with snow on the faces and in the gullies. */
function crag(still: Still, form: Crag): void {
  const { width: w, height: h, sun } = still;
  const rough = fractalNoise(form.seed, 6, 0.58);
  const lift = (x: number) => {
    let best = 0;
    for (const [px, rise, reach] of form.peaks) {
      const d = Math.abs(x - px * w) / (reach * w);
      best = Math.max(best, rise * h * (1 - d) ** 1.15 || 0);
    }
    const jag = 0.25 + Math.min(1, best / (0.3 * h));
    return (
      best +
      (0.5 - Math.abs(rough(x / (w * 0.07)))) * h * 0.085 * jag +
      Math.abs(rough(x / (w * 0.022) + 40)) * h * 0.03 * jag
    );
  };
  const line = ridge(still, { seed: form.seed, y: form.y, rise: 0, stretch: 100, lift, step: 2 });
  paintLayer(still, [line.outline], {
    tone: form.tone,
    haze: form.haze,
    from: h * 0.18,
    to: form.foot,
    thick: 0.95,
    bleed: form.bleed,
    rim: 0.45,
    rimWidth: 1.8,
    reach: h * 0.9,
  });
  const chance = seeded(form.seed + 5);
  const clip = define(still, (id) => `<clipPath id="${id}"><path d="${line.outline}"/></clipPath>`);
  let lit = "";
  let shade = "";
  for (const [px, rise, reach] of form.peaks) {
    const top = line.at(px * w);
    const depth = rise * h;
    for (let i = 0; i < 46; i++) {
      const t = chance() ** 1.3;
      const side = chance() < 0.5 ? -1 : 1;
      const x = px * w + side * chance() * reach * w * (0.08 + t * 0.75);
      const y0 = Math.max(top, line.at(x)) + chance() * depth * 0.1 + t * depth * 0.18;
      const long = depth * (0.09 + chance() * 0.24) * (1.1 - t * 0.5);
      const wide = long * (0.12 + chance() * 0.2);
      const slant = side * long * (0.25 + chance() * 0.5);
      const d = polygon([
        [x, y0],
        [x + wide * 0.7 + slant * 0.35, y0 + long * 0.45],
        [x + wide * 0.2 + slant * 0.6, y0 + long * 0.6],
        [x + slant, y0 + long],
        [x - wide * 0.5 + slant * 0.5, y0 + long * 0.62],
        [x - wide * 0.2 + slant * 0.25, y0 + long * 0.3],
      ]);
      const facesSun = Math.sign(sun.x - px * w) === side;
      if (facesSun) lit += `<path d="${d}"/>`;
      else shade += `<path d="${d}"/>`;
    }
  }
  const fade = define(
    still,
    (id) =>
      `<linearGradient id="${id}" gradientUnits="userSpaceOnUse" x1="0" x2="0" y1="${h * 0.1}" y2="${form.foot}"><stop offset="0" stop-color="#ffffff"/><stop offset=".55" stop-color="#ffffff" stop-opacity=".75"/><stop offset="1" stop-color="#ffffff" stop-opacity="0"/></linearGradient>`,
  );
  const mask = define(still, (id) => `<mask id="${id}"><rect width="${w}" height="${h}" fill="${fade}"/></mask>`);
  paint(
    still,
    `<g clip-path="${clip}"><g mask="${mask}"><g fill="${form.snow}" opacity="${form.strength * 0.42}">${shade}</g><g fill="#ffc690" opacity="${form.strength * 0.72}">${lit}</g></g></g>`,
  );
}

/** A broken arch of great blocks with two leaning pillars beside it, standing at (x, y). */
function arch(x: number, ground: (x: number) => number, s: number): string[] {
  const chance = seeded(88);
  const out: string[] = [];
  const y = ground(x) + 0.2 * s;
  const pier = (px: number, height: number, width: number) => {
    const base = Math.max(y, ground(x + px * s) + 0.3 * s);
    const top = y - height * s;
    for (let at = base; at > top; ) {
      const course = (0.55 + chance() * 0.25) * s;
      const wide = width * s * (1 + (chance() - 0.5) * 0.16);
      out.push(rectangle(x + px * s - wide / 2 + (chance() - 0.5) * 0.1 * s, at - course, wide, course + 0.2 * s));
      at -= course;
    }
  };
  pier(-2.6, 5.2, 1.35);
  pier(2.6, 5.2, 1.35);
  const voussoir = (from: number, to: number, inner: number, outer: number) => {
    const p = (deg: number, r: number): Point => [
      x + Math.cos((deg * Math.PI) / 180) * r * s,
      y - 5 * s - Math.sin((deg * Math.PI) / 180) * r * 1.12 * s,
    ];
    out.push(polygon([p(from, inner), p(from, outer), p(to, outer), p(to, inner)]));
  };
  for (let i = 0; i < 12; i++) {
    if (i === 5 || i === 6) continue;
    voussoir(i * 15 - 0.4, i * 15 + 15.4, 1.95 + chance() * 0.12, 3.3 + chance() * 0.3);
  }
  voussoir(74.5, 84, 2.0, 2.9);
  out.push(
    polygon(
      placed(
        [
          [-0.5, 0.2],
          [-0.35, -0.6],
          [0.4, -0.75],
          [0.75, 0.2],
        ],
        x - 0.4 * s,
        y,
        s,
      ),
    ),
  );
  pier(-6.6, 3.9, 1.1);
  pier(7.0, 6.4, 1.15);
  out.push(
    polygon(
      placed(
        [
          [-0.62, 0],
          [-0.5, -1.1],
          [0.1, -0.7],
          [0.62, 0],
        ],
        x - 6.6 * s,
        y - 4.1 * s,
        s,
      ),
    ),
  );
  out.push(
    polygon(
      placed(
        [
          [-0.62, 0],
          [-0.62, -0.5],
          [0.2, -1.4],
          [0.6, 0],
        ],
        x + 7 * s,
        y - 6.6 * s,
        s,
      ),
    ),
  );
  out.push(rectangle(x + 6.2 * s, y - 6.9 * s, 1.7 * s, 0.45 * s));
  const lean: Point[] = [
    [-0.5, 0.4],
    [0.5, 0.4],
    [1.5, -3.4],
    [0.7, -3.9],
  ];
  out.push(polygon(placed(lean, x - 9.6 * s, ground(x - 9.6 * s) + 0.4 * s, s)));
  return out;
}

/** A dragon crossing the light, wings raised; (x, y) is its shoulder. */
function paintDragon(still: Still, x: number, y: number, s: number): void {
  const at = (points: readonly Point[]) => placed(points, x, y, s);
  const body = limb(
    (
      [
        [-8.4, 2.6, 0.1],
        [-6.6, 2.9, 0.22],
        [-4.6, 2.2, 0.36],
        [-2.6, 1.0, 0.66],
        [-1, 0.45, 1.0],
        [0.4, 0.05, 1.05],
        [1.7, -0.35, 0.6],
        [2.8, -0.15, 0.46],
        [3.7, 0.35, 0.5],
        [4.7, 0.75, 0.14],
      ] as const
    ).map(([a, b, c]) => [x + a * s, y + b * s, c * s] as const),
  );
  const horns = [
    polygon(
      at([
        [3.5, 0.2],
        [2.9, -0.55],
        [3.8, 0.05],
      ]),
    ),
    polygon(
      at([
        [3.65, 0.3],
        [3.35, -0.4],
        [3.95, 0.2],
      ]),
    ),
  ];
  const fin = polygon(
    at([
      [-8.4, 2.6],
      [-9.3, 1.9],
      [-8.9, 2.7],
      [-9.4, 3.3],
      [-8, 2.75],
    ]),
  );
  const wing = (tips: readonly Point[], wrist: Point, root: Point, back: Point) => {
    const edge: Point[] = [root, wrist];
    tips.forEach((tip, i) => {
      edge.push(tip);
      const next = tips[i + 1] ?? back;
      const sag: Point = [
        (tip[0] + next[0]) / 2 + (wrist[0] - (tip[0] + next[0]) / 2) * 0.2,
        (tip[1] + next[1]) / 2 + (wrist[1] - (tip[1] + next[1]) / 2) * 0.2,
      ];
      edge.push(...smooth([tip, sag, next], 6).slice(1, -1));
    });
    edge.push(back);
    return polygon(at(edge));
  };
  const nearWing = wing(
    [
      [-5.9, -7.9],
      [-7.6, -4.4],
      [-6.9, -1.6],
      [-4.6, 0.4],
    ],
    [-1.6, -5.2],
    [0.9, 0],
    [-1.9, 0.7],
  );
  const claw = limb([
    [x - 1.6 * s, y - 5.2 * s, 0.3 * s],
    [x - 1.3 * s, y - 5.9 * s, 0.05 * s],
  ]);
  const farWing = wing(
    [
      [5.4, -8.6],
      [7.9, -5.9],
      [7.2, -3.4],
      [4.6, -1.6],
    ],
    [2.8, -5.4],
    [0.9, -0.2],
    [1.9, -0.5],
  );
  paintLayer(still, [farWing], {
    tone: "#1b2232",
    bleed: 0.25,
    rim: 0.5,
    rimWidth: s * 0.08,
    reach: still.height * 0.6,
  });
  paintLayer(still, [nearWing, claw, body, fin, ...horns], {
    tone: "#0a0f19",
    bleed: 0.14,
    rim: 0.8,
    rimWidth: s * 0.09,
    reach: still.height * 0.6,
  });
}

function paintSnowfall(still: Still): void {
  const { width: w, height: h } = still;
  const chance = seeded(17);
  let svg = "";
  for (let i = 0; i < 240; i++) {
    const near = chance() ** 3;
    svg += `<path d="${ellipse(chance() * w, chance() * h, (0.7 + near * 2.4) * (h / 862), (0.7 + near * 1.9) * (h / 862))}" opacity="${(0.12 + chance() * 0.42 * (1 - near * 0.6)).toFixed(2)}"/>`;
  }
  paint(still, `<g fill="#e9e2dc">${svg}</g>`);
}
