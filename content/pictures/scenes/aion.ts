// Aion: isles afloat over a sea of cloud, threads of falling water, and a monument of two great feathered wings.
import { paintFog } from "../fog.ts";
import { paintLayer } from "../layer.ts";
import { ellipse, limb, type Point, polygon, rectangle, smooth } from "../outline.ts";
import { fractalNoise, seeded } from "../random.ts";
import { ridge, swell } from "../ridge.ts";
import { paintCloud, paintShafts, paintSky, paintStars, paintSun } from "../sky.ts";
import { define, openStill, paint, type Scene, type Shot, type Still } from "../still.ts";
import { crown } from "../trees.ts";

export const aion: Scene = { slug: "aion", draw };

function draw(shot: Shot): Still {
  const { width: w, height: h } = shot;
  const u = h / 862;
  const still = openStill(shot, { x: w * 0.52, y: h * 0.375, radius: h * 0.055 });
  paintSky(
    still,
    [
      [0, "#0c0820"],
      [0.35, "#2a1a4a"],
      [0.65, "#5d3768"],
      [0.88, "#a8604f"],
      [1, "#d0813e"],
    ],
    h * 0.78,
    0.85,
  );
  paintStars(still, 21, 190, h * 0.55);
  paintCloud(still, {
    seed: 52,
    top: 0,
    bottom: h * 0.5,
    colour: "#a48bd0",
    opacity: 0.26,
    cover: 0.42,
    stretch: 3.5,
    grain: 0.002,
  });
  paintCloud(still, {
    seed: 9,
    top: h * 0.35,
    bottom: h * 0.78,
    colour: "#f0a07c",
    opacity: 0.34,
    cover: 0.42,
    stretch: 6,
  });
  paintShafts(still, [-170, -144, -118, -90, -62, -36, -10], h * 0.85, 0.16);
  paintSun(still);

  const tiny: Isle[] = [
    { x: w * 0.31, y: h * 0.3, half: 42 * u, deep: 70 * u, seed: 3, falls: 1 },
    { x: w * 0.7, y: h * 0.235, half: 54 * u, deep: 84 * u, seed: 14, falls: 1 },
    { x: w * 0.93, y: h * 0.45, half: 60 * u, deep: 90 * u, seed: 25, falls: 1 },
    { x: w * 0.07, y: h * 0.5, half: 50 * u, deep: 76 * u, seed: 36, falls: 1 },
  ];
  isles(still, tiny, { tone: "#7b5580", haze: "#c0806c", bleed: 0.45, rim: 0.4 }, u * 0.5, h * 0.78);
  cloudSea(still, h * 0.76, "#8a5d80", 5, 0.9);
  paintFog(still, { seed: 6, y: h * 0.74, height: h * 0.2, colour: "#d09a96", opacity: 0.45, warm: 0.6 });

  const main: Isle = { x: w * 0.52, y: h * 0.61, half: 218 * u, deep: 232 * u, seed: 47, falls: 3 };
  paintWings(still, main.x, main.y + 4 * u, 49 * u);
  isles(still, [main], { tone: "#2a1838", haze: "#6a405c", bleed: 0.26, rim: 0.9 }, u, h * 0.9);
  cloudSea(still, h * 0.86, "#4f3258", 15, 0.9);
  paintFog(still, { seed: 16, y: h * 0.85, height: h * 0.18, colour: "#b07a94", opacity: 0.42, torn: 0.75, warm: 0.4 });

  const near: Isle[] = [
    { x: w * 0.145, y: h * 0.43, half: 128 * u, deep: 215 * u, seed: 58, falls: 2 },
    { x: w * 0.885, y: h * 0.645, half: 165 * u, deep: 240 * u, seed: 69, falls: 2 },
  ];
  isles(still, near, { tone: "#120b20", haze: "#2c1c3a", bleed: 0.1, rim: 1 }, u, h * 0.98);
  cloudSea(still, h * 0.955, "#1f1430", 27, 1);
  paintFeathers(still, u);
  return still;
}

type Isle = { x: number; y: number; half: number; deep: number; seed: number; falls: number };

function isles(
  still: Still,
  list: readonly Isle[],
  air: { tone: string; haze: string; bleed: number; rim: number },
  u: number,
  drop: number,
): void {
  for (const isle of list) {
    const { x, y, half, deep, seed } = isle;
    const chance = seeded(seed);
    const noise = fractalNoise(seed, 5, 0.55);
    const top: Point[] = [];
    const under: Point[] = [];
    for (let i = -40; i <= 40; i++) {
      const t = i / 40;
      const px = x + t * half;
      top.push([px, y - (1 - t * t) * half * 0.1 - noise(t * 3) * half * 0.07]);
      const taper = (1 - Math.abs(t) ** 1.5) ** 1.25;
      const teeth = Math.abs(noise(t * 7 + 9));
      under.unshift([px, y + half * 0.06 + deep * taper * (0.5 + 0.62 * teeth) * (1 + 0.25 * noise(t * 2 + 4))]);
    }
    const shapes = [polygon([...top, ...under])];
    const ground = (t: number) => top[Math.round((t + 1) * 40)]?.[1] ?? y;
    for (let i = 0; i < 9; i++) {
      const t = -0.9 + chance() * 1.8;
      if (half > 200 * u && Math.abs(t) < 0.46) continue;
      const size = half * (0.07 + chance() * 0.07);
      shapes.push(
        ...crown(x + t * half, ground(t) - size * 1.15, size * 0.9, size * 0.8, seed * 10 + i, 9),
        rectangle(x + t * half - size * 0.08, ground(t) - size, size * 0.16, size * 1.3),
      );
    }
    if (half < 200 * u) shapes.push(...temple(x + half * 0.16, ground(0.16) + 3, half * 0.27));
    const falls = Array.from({ length: isle.falls }, (_, i) => {
      const t = isle.falls === 1 ? -0.55 : -0.8 + (i * 1.6) / (isle.falls - 1) + (chance() - 0.5) * 0.16;
      return { x: x + t * half, y: ground(t) + half * 0.02, wide: half * (0.022 + chance() * 0.026) };
    });
    paintFalls(still, falls, drop, 0.5, x);
    paintLayer(still, shapes, {
      ...air,
      from: y - half * 0.3,
      to: y + deep,
      rimWidth: 3 * u,
      reach: still.height * 0.9,
    });
    paintFalls(still, falls, drop, 1, x);
  }
}

function temple(x: number, y: number, s: number): string[] {
  const out = [
    rectangle(x - s, y - s * 0.14, s * 2, s * 0.2),
    rectangle(x - s, y - s * 1.12, s * 2, s * 0.16),
    polygon([
      [x - s * 1.1, y - s * 1.1],
      [x, y - s * 1.62],
      [x + s * 1.1, y - s * 1.1],
    ]),
  ];
  for (let i = 0; i < 6; i++) out.push(rectangle(x - s * 0.9 + i * s * 0.34, y - s, s * 0.12, s));
  return out;
}

function paintFalls(
  still: Still,
  falls: readonly { x: number; y: number; wide: number }[],
  drop: number,
  strength: number,
  centre: number,
): void {
  const thread = define(
    still,
    (id) =>
      `<linearGradient id="${id}" x1="0" x2="0" y1="0" y2="1"><stop offset="0" stop-color="#ffe6cf" stop-opacity="${0.85 * strength}"/><stop offset=".35" stop-color="#ffc9a0" stop-opacity="${0.5 * strength}"/><stop offset="1" stop-color="#e9b4c8" stop-opacity="0"/></linearGradient>`,
  );
  for (const { x, y, wide } of falls) {
    const out = Math.sign(x - centre) * wide * 1.2;
    const d = polygon([
      ...smooth([
        [x - wide * 0.4, y],
        [x + out - wide * 0.4, y + wide * 2],
        [x + out - wide, drop],
      ]),
      ...smooth([
        [x + out + wide, drop],
        [x + out + wide * 0.4, y + wide * 2],
        [x + wide * 0.4, y],
      ]),
    ]);
    paint(still, `<path d="${d}" fill="${thread}"/>`);
  }
}

/** A bank of cloud with rounded heads, top edge at about `y`. */
function cloudSea(still: Still, y: number, tone: string, seed: number, opacity: number): void {
  const { width: w, height: h } = still;
  const chance = seeded(seed);
  const line = ridge(still, {
    seed,
    y,
    rise: h * 0.02,
    stretch: w * 0.16,
    lift: (x) => h * (0.05 * swell(x, 0, w * 0.4) + 0.05 * swell(x, w, w * 0.4)),
  });
  const heads: string[] = [];
  for (let x = -20; x < w + 40; x += h * 0.03) {
    const size = h * (0.018 + chance() ** 2 * 0.05);
    heads.push(ellipse(x + chance() * 20, line.at(x) + size * 0.25, size * 1.7, size * 0.72));
  }
  const soft = define(
    still,
    (id) =>
      `<filter id="${id}" filterUnits="userSpaceOnUse" x="0" y="0" width="${w}" height="${h}"><feGaussianBlur stdDeviation="${h * 0.0045}"/></filter>`,
  );
  paint(still, `<g filter="${soft}" opacity="${opacity}">`);
  paintLayer(still, [line.outline, ...heads], {
    tone,
    haze: "#150d20",
    from: y,
    to: h * 1.02,
    thick: 0.85,
    bleed: 0.4,
    rim: 0.75,
    rimWidth: 4,
    reach: h * 0.75,
  });
  paint(still, "</g>");
}

/** Two wings of stone rising from a plinth at (x, y); `s` is a tenth of their height. */
function paintWings(still: Still, x: number, y: number, s: number): void {
  const far = still.height * 0.75;
  for (const row of [0, 1, 2]) {
    const shapes: string[] = [];
    for (const side of [-1, 1]) {
      // The arm of the wing: up from the plinth, out at the wrist.
      const arm = smooth(
        [
          [0.25, -1.2],
          [0.75, -3.2],
          [1.75, -5.1],
          [3.05, -5.9],
        ],
        8,
      );
      const count = [17, 14, 11][row] ?? 9;
      for (let i = 0; i < count; i++) {
        const t = i / (count - 1);
        const [ax, ay] = arm[Math.round(t * (arm.length - 1))] ?? [0, 0];
        // From the short feathers by the body, hanging, to the primaries at the wrist, swept up and out.
        const angle = ((84 - t * 138 + row * 5) * Math.PI) / 180;
        const reach =
          ([1.15 + 3.9 * t ** 1.05, 0.85 + 2.3 * t, 0.6 + 1.15 * t][row] ?? 1) * (1 + 0.05 * Math.sin(i * 2.1));
        const bend = 0.16 * reach;
        const tip: Point = [ax + Math.cos(angle) * reach, ay + Math.sin(angle) * reach];
        const midX = ax + Math.cos(angle) * reach * 0.55 + Math.sin(angle) * bend;
        const midY = ay + Math.sin(angle) * reach * 0.55 - Math.cos(angle) * bend;
        const wide = (0.4 + 0.14 * t) * (1 - row * 0.12);
        shapes.push(
          limb(
            [
              [x + side * ax * s, y + ay * s, wide * 0.7 * s],
              [x + side * midX * s, y + midY * s, wide * 1.15 * s],
              [x + side * (tip[0] * 0.9 + midX * 0.1) * s, y + (tip[1] * 0.9 + midY * 0.1) * s, wide * 0.62 * s],
              [x + side * tip[0] * s, y + tip[1] * s, 0.5],
            ],
            6,
          ),
        );
      }
      if (row === 2)
        shapes.push(
          limb(
            [
              [x + side * 0.2 * s, y - 0.6 * s, 0.6 * s],
              ...arm.filter((_, i) => i % 4 === 0).map(([px, py]) => [x + side * px * s, y + py * s, 0.5 * s] as const),
              [x + side * 3.25 * s, y - 5.95 * s, 0.2 * s],
            ],
            6,
          ),
        );
    }
    for (const shape of shapes)
      paintLayer(still, [shape], {
        tone: ["#432749", "#35203f", "#291936"][row] ?? "#291936",
        haze: "#25152f",
        from: y - 8 * s,
        to: y,
        bleed: 0.1,
        rim: 0.85,
        rimWidth: 2.2,
        reach: far,
      });
  }
  const plinth = [
    rectangle(x - 1.2 * s, y - 0.5 * s, 2.4 * s, s),
    rectangle(x - 0.8 * s, y - 0.95 * s, 1.6 * s, 0.6 * s),
    polygon([
      [x - 0.34 * s, y - 0.9 * s],
      [x - 0.2 * s, y - 3.6 * s],
      [x, y - 4.3 * s],
      [x + 0.2 * s, y - 3.6 * s],
      [x + 0.34 * s, y - 0.9 * s],
    ]),
    rectangle(x - 2 * s, y - 0.16 * s, 4 * s, 0.6 * s),
  ];
  paintLayer(still, plinth, { tone: "#24152f", bleed: 0.2, rim: 0.9, rimWidth: 2.6, reach: far });
}

function paintFeathers(still: Still, u: number): void {
  const chance = seeded(4);
  let svg = "";
  for (let i = 0; i < 60; i++) {
    const size = (0.8 + chance() ** 3 * 2.2) * u;
    svg += `<path d="${ellipse(chance() * still.width, still.height * (0.15 + chance() * 0.75), size * 1.8, size * 0.6, chance() * 180)}" opacity="${(0.2 + chance() * 0.55).toFixed(2)}"/>`;
  }
  paint(still, `<g fill="#ffd9b0">${svg}</g>`);
}
