// Valheim: a longship under a striped sail on a misty sea, pine headlands, and a branch of the world tree across the sky.
import { paintFog } from "../fog.ts";
import { paintLayer } from "../layer.ts";
import { curve, ellipse, limb, type Point, placed, polygon, smooth } from "../outline.ts";
import { seeded } from "../random.ts";
import { ridge, swell } from "../ridge.ts";
import { paintCloud, paintSky, paintStars, paintSun } from "../sky.ts";
import { blur, define, openStill, paint, type Scene, type Shot, type Still, vertical } from "../still.ts";
import { branches, wood } from "../trees.ts";

const PLACES = {
  card: { sun: [0.69, 0.565], ship: [0.46, 0.665], size: 25, horizon: 0.6 },
  wide: { sun: [0.79, 0.535], ship: [0.685, 0.63], size: 33, horizon: 0.57 },
  tall: { sun: [0.72, 0.6], ship: [0.48, 0.665], size: 23, horizon: 0.625 },
} as const;

export const valheim: Scene = { slug: "valheim", draw };

function draw(shot: Shot): Still {
  const { width: w, height: h } = shot;
  const place = PLACES[shot.kind];
  const sea = h * place.horizon;
  const still = openStill(shot, { x: w * place.sun[0], y: h * place.sun[1], radius: h * 0.034 });
  paintSky(
    still,
    [
      [0, "#050f12"],
      [0.3, "#0d272c"],
      [0.62, "#2b4a4b"],
      [0.84, "#7d5b3c"],
      [1, "#c9772c"],
    ],
    sea,
    0.95,
  );
  paintStars(still, 5, 90, sea * 0.5);
  paintCloud(still, {
    seed: 12,
    top: h * 0.12,
    bottom: sea,
    colour: "#9fb0a4",
    opacity: 0.24,
    cover: 0.42,
    stretch: 6,
  });
  paintWorldTree(still);
  paintCloud(still, {
    seed: 31,
    top: h * 0.3,
    bottom: sea + 20,
    colour: "#f0a45c",
    opacity: 0.34,
    cover: 0.3,
    stretch: 9,
  });
  paintSun(still);

  const far = ridge(shot, {
    seed: 4,
    y: sea + 4,
    rise: h * 0.012,
    stretch: w * 0.2,
    lift: (x) => h * (0.13 * swell(x, w * 0.08, w * 0.34) + 0.1 * swell(x, w * 1.0, w * 0.24)),
  });
  const farWood = wood(far, {
    seed: 41,
    from: 0,
    to: w,
    gap: 5,
    height: h * 0.034,
    grows: (x) => (far.at(x) < sea - 4 ? 1 : 0),
  });
  paintLayer(still, [far.outline, ...farWood], {
    tone: "#3f5a55",
    haze: "#a87444",
    from: h * 0.44,
    to: sea,
    thick: 0.75,
    bleed: 0.4,
  });
  paintFog(still, { seed: 8, y: sea - h * 0.015, height: h * 0.16, colour: "#8fa398", opacity: 0.55, warm: 0.5 });

  paintSea(still, sea);

  const middle = ridge(shot, {
    seed: 9,
    y: sea + h * 0.04,
    rise: h * 0.012,
    stretch: w * 0.12,
    lift: (x) => h * (0.24 * swell(x, -w * 0.03, w * 0.24) + 0.13 * swell(x, w * 1.04, w * 0.17) - 0.03),
  });
  const middleWood = wood(middle, {
    seed: 42,
    from: 0,
    to: w,
    gap: 9,
    height: h * 0.085,
    grows: (x) => (middle.at(x) < sea + h * 0.045 ? 1 : 0),
  });
  const land = clipAbove(still, sea + h * 0.035);
  paint(still, `<g clip-path="${land}">`);
  paintLayer(still, [middle.outline, ...middleWood], {
    tone: "#16302f",
    haze: "#4d5a4e",
    from: h * 0.4,
    to: sea + h * 0.04,
    thick: 0.9,
    bleed: 0.34,
    rim: 0.4,
    rimWidth: 1.6,
  });
  paint(still, "</g>");
  paintFog(still, {
    seed: 19,
    y: sea + h * 0.04,
    height: h * 0.15,
    colour: "#93a79b",
    opacity: 0.5,
    torn: 0.75,
    warm: 0.3,
  });

  paintShip(still, w * place.ship[0], h * place.ship[1], (place.size * h) / 862);
  paintFog(still, {
    seed: 27,
    y: h * place.ship[1] + h * 0.05,
    height: h * 0.13,
    colour: "#7f978f",
    opacity: 0.4,
    torn: 0.85,
    warm: 0.2,
  });

  const near = ridge(shot, {
    seed: 15,
    y: h * 1.03,
    rise: h * 0.02,
    stretch: w * 0.16,
    lift: (x) => h * (0.3 * swell(x, -w * 0.04, w * 0.3) + 0.2 * swell(x, w * 1.06, w * 0.26)),
  });
  const nearWood = wood(near, {
    seed: 77,
    from: -20,
    to: w + 20,
    gap: 24 * (h / 862),
    height: h * 0.34,
    grows: (x) => (near.at(x) < h * 0.97 ? 1 : 0),
  });
  paintLayer(still, [near.outline, ...nearWood], {
    tone: "#04090a",
    rim: 0.5,
    rimWidth: 1.8,
    reach: w * 0.5,
    bleed: 0.05,
  });
  paintGulls(still);
  return still;
}

function clipAbove(still: Still, y: number): string {
  return define(still, (id) => `<clipPath id="${id}"><rect width="${still.width}" height="${y}"/></clipPath>`);
}

function paintWorldTree(still: Still): void {
  const { width: w, height: h } = still;
  const chance = seeded(23);
  const mask = define(
    still,
    (id) =>
      `<mask id="${id}"><rect width="${w}" height="${h}" fill="${vertical(still, 0, h * 0.52, [
        [0, "#ffffff", 0.85],
        [0.6, "#ffffff", 0.6],
        [1, "#ffffff", 0.1],
      ])}"/></mask>`,
  );
  const trunk: [number, number, number][] = [
    [-w * 0.05, h * 0.3, h * 0.12],
    [w * 0.14, h * 0.2, h * 0.085],
    [w * 0.34, h * 0.17, h * 0.062],
    [w * 0.56, h * 0.11, h * 0.046],
    [w * 0.8, h * 0.12, h * 0.03],
    [w * 1.04, h * 0.05, h * 0.016],
  ];
  const forks: [number, number, number, number][] = [
    [0.1, 0.215, -1.0, 0.05],
    [0.22, 0.185, 0.5, 0.032],
    [0.33, 0.17, -0.75, 0.036],
    [0.45, 0.145, 0.45, 0.024],
    [0.56, 0.11, -0.6, 0.026],
    [0.68, 0.112, 0.55, 0.018],
    [0.8, 0.12, -0.5, 0.016],
    [0.88, 0.1, 0.5, 0.012],
  ];
  const boughs = forks.flatMap(([x, y, angle, thick]) =>
    branches(w * x, h * y, angle, h * (0.1 + thick * 1.4), h * thick, 4, chance, 0.5),
  );
  paint(still, `<g mask="${mask}" opacity=".8">`);
  paintLayer(still, [limb(trunk, 14), ...boughs], {
    tone: "#16292c",
    haze: "#5d5a48",
    from: 0,
    to: h * 0.5,
    bleed: 0.35,
    rim: 0.55,
    rimWidth: 2,
    reach: h * 0.8,
  });
  paint(still, "</g>");
}

function paintSea(still: Still, sea: number): void {
  const { width: w, height: h, sun } = still;
  const water = vertical(still, sea, h, [
    [0, "#b9783c"],
    [0.05, "#8b6a45"],
    [0.18, "#34504c"],
    [0.45, "#12292c"],
    [1, "#030708"],
  ]);
  paint(still, `<rect y="${sea}" width="${w}" height="${h - sea}" fill="${water}"/>`);
  const chance = seeded(61);
  let glints = "";
  for (let i = 0; i < 620; i++) {
    const t = chance() ** 1.5;
    const y = sea + 2 + t * (h - sea) * 0.92;
    const spread = (0.02 + t * 0.13) * w;
    const off = (chance() + chance() + chance() - 1.5) * 1.5 * spread;
    const long = (5 + t * 46) * (0.3 + chance()) * (h / 862);
    const strength = Math.max(0.06, (1 - Math.abs(off) / (spread * 2)) * (0.95 - t * 0.75));
    glints += `<path d="${ellipse(sun.x + off, y, long, 0.6 + t * 2.2)}" fill="${chance() < 0.4 ? "#ffcf8c" : "#ff8f26"}" opacity="${strength.toFixed(2)}"/>`;
  }
  for (let i = 0; i < 260; i++) {
    const t = chance();
    const long = (10 + t * 90) * (0.3 + chance()) * (h / 862);
    glints += `<path d="${ellipse(chance() * w, sea + 3 + t * (h - sea), long, 0.5 + t * 1.4)}" fill="${chance() < 0.5 ? "#86a69c" : "#020607"}" opacity="${(0.05 + chance() * 0.14).toFixed(2)}"/>`;
  }
  paint(still, glints);
}

function paintShip(still: Still, x: number, y: number, s: number): void {
  const at = (points: readonly Point[]) => placed(points, x, y, s);
  const keel: Point[] = [
    [-7.6, -3.3],
    [-7.0, -2.2],
    [-6.3, -0.9],
    [-4.6, 0.55],
    [0, 1.0],
    [4.6, 0.55],
    [6.4, -0.9],
    [7.1, -2.4],
    [7.5, -3.6],
  ];
  const rail: Point[] = [
    [6.9, -2.5],
    [5.9, -1.35],
    [4.0, -0.7],
    [0, -0.45],
    [-4.0, -0.7],
    [-5.9, -1.3],
    [-6.9, -2.3],
  ];
  const hull = polygon(at([...smooth(keel), ...smooth(rail)]));
  const head = limb(
    [
      [7.15, -2.6, 0.5],
      [7.55, -3.8, 0.42],
      [7.7, -4.5, 0.5],
      [8.25, -4.75, 0.5],
      [8.95, -4.45, 0.16],
    ].map(([a, b, c]) => [x + (a ?? 0) * s, y + (b ?? 0) * s, (c ?? 0) * s] as const),
  );
  const horn = polygon(
    at([
      [7.6, -4.8],
      [7.2, -5.5],
      [7.95, -4.95],
    ]),
  );
  const tail = limb(
    [
      [-7.1, -2.4, 0.46],
      [-7.7, -3.6, 0.36],
      [-7.9, -4.5, 0.3],
      [-7.4, -5.05, 0.26],
      [-6.95, -4.7, 0.2],
      [-7.2, -4.4, 0.1],
    ].map(([a, b, c]) => [x + (a ?? 0) * s, y + (b ?? 0) * s, (c ?? 0) * s] as const),
  );
  const mast = polygon(
    at([
      [-0.12, -11.6],
      [0.12, -11.6],
      [0.18, -0.4],
      [-0.18, -0.4],
    ]),
  );
  const yard = polygon(
    at([
      [-5.1, -10.5],
      [5.3, -10.75],
      [5.3, -10.5],
      [-5.1, -10.22],
    ]),
  );
  const ropes = [
    [
      [0, -11.4],
      [7.2, -3.2],
    ],
    [
      [0, -11.4],
      [-7.2, -3],
    ],
    [
      [4.9, -3.4],
      [5.8, -1.4],
    ],
    [
      [-4.4, -3.2],
      [-5.6, -1.4],
    ],
  ] as const;
  const shields = Array.from({ length: 11 }, (_, i) =>
    ellipse(x + (-4.6 + i * 0.92) * s, y + (-0.42 - 0.28 * ((i - 5) / 5) ** 2) * s, 0.46 * s),
  );
  const crew = Array.from({ length: 7 }, (_, i) => ellipse(x + (-3.9 + i * 1.25) * s, y - 1.15 * s, 0.2 * s, 0.27 * s));

  const left: Point[] = smooth([
    [-4.8, -10.3],
    [-4.3, -8],
    [-4.2, -5.6],
    [-4.5, -3.2],
  ]);
  const right: Point[] = smooth([
    [4.95, -10.6],
    [5.5, -8.4],
    [5.6, -6],
    [5.0, -3.3],
  ]);
  const stripes = 8;
  const edge = (t: number) =>
    left.map(([lx, ly], i): Point => {
      const [rx, ry] = right[i] ?? [lx, ly];
      const foot = Math.sin(Math.PI * t) * 0.55 * (i / (left.length - 1)) ** 3;
      return [lx + (rx - lx) * t, ly + (ry - ly) * t + foot];
    });
  const sail = vertical(still, y - 10.6 * s, y - 3 * s, [
    [0, "#2c1410"],
    [0.5, "#5d2412"],
    [1, "#8e3a12"],
  ]);
  const linen = vertical(still, y - 10.6 * s, y - 3 * s, [
    [0, "#7e6a52"],
    [0.5, "#c08a52"],
    [1, "#e6a256"],
  ]);
  const shadow = blur(still, s * 0.22, s * 0.5);
  paint(
    still,
    `<g filter="${shadow}" opacity=".62" fill="#04090a"><path d="${polygon(at([...smooth(keel), ...smooth(rail)].map(([px, py]): Point => [px * 0.98, 1.5 - py * 0.55])))}"/><path d="${polygon(at([...edge(0), ...edge(1).reverse()].map(([px, py]): Point => [px, 1.6 - py * 0.5])))}" opacity=".55"/></g>`,
  );
  for (let i = 0; i < stripes; i++) {
    const strip = polygon(at([...edge(i / stripes), ...edge((i + 1) / stripes).reverse()]));
    paint(still, `<path d="${strip}" fill="${i % 2 === 0 ? sail : linen}"/>`);
  }
  const shade = define(
    still,
    (id) =>
      `<linearGradient id="${id}"><stop offset="0" stop-color="#040b0c" stop-opacity=".72"/><stop offset=".55" stop-color="#040b0c" stop-opacity=".25"/><stop offset="1" stop-color="#ff8000" stop-opacity=".28"/></linearGradient>`,
  );
  paint(still, `<path d="${polygon(at([...edge(0), ...edge(1).reverse()]))}" fill="${shade}"/>`);
  paint(
    still,
    `<g stroke="#06090a" stroke-width="${s * 0.07}" opacity=".85">${ropes
      .map(([[ax, ay], [bx, by]]) => `<path d="M${x + ax * s},${y + ay * s}L${x + bx * s},${y + by * s}"/>`)
      .join("")}</g>`,
  );
  const pennant = curve(
    at([
      [0.1, -11.9],
      [1.4, -11.6],
      [2.6, -11.95],
      [1.3, -11.25],
      [0.1, -11.35],
    ]),
  );
  paintLayer(still, [mast, yard, pennant, head, horn, tail, ...crew, hull, ...shields], {
    tone: "#060b0c",
    rim: 0.95,
    rimWidth: s * 0.12,
    reach: still.height * 0.5,
    bleed: 0.1,
  });
}

function paintGulls(still: Still): void {
  const { width: w, height: h } = still;
  const chance = seeded(6);
  let d = "";
  for (let i = 0; i < 7; i++) {
    const x = w * (0.72 + chance() * 0.2);
    const y = h * (0.3 + chance() * 0.14);
    const s = h * (0.007 + chance() * 0.007);
    d += `M${x - s * 1.6},${y - s * 0.5}Q${x - s * 0.7},${y - s * 0.9} ${x},${y}Q${x + s * 0.7},${y - s * 0.9} ${x + s * 1.6},${y - s * 0.3}`;
  }
  paint(
    still,
    `<path d="${d}" fill="none" stroke="#0a1516" stroke-width="${h * 0.0022}" stroke-linecap="round" opacity=".8"/>`,
  );
}
