// Under the earth: the mouth of a cave, a mine by lamplight, a lake among crystals.
import { person } from "../cast/people.ts";
import { ellipse, limb, type Point, polygon, rectangle, shape } from "../outline.ts";
import { fractalNoise } from "../random.ts";
import {
  between,
  hills,
  paintBirds,
  paintDepth,
  paintMist,
  paintMotes,
  paintPanes,
  paintWater,
  type Stage,
  type View,
} from "../stage.ts";
import { blur, paint, round, vertical } from "../still.ts";
import { wood } from "../trees.ts";

const W = 1380;
const H = 862;

export const CAVERN: readonly View[] = [
  { name: "mouth", light: { x: 730, y: 470, radius: 44 }, never: ["night"], paint: mouth },
  { name: "mine", light: { x: 700, y: 500, radius: 1 }, sky: dark, paint: mine },
  { name: "crystals", light: { x: 480, y: 560, radius: 1 }, sky: dark, paint: crystals },
];

/** No sky: rock, and the glow of the light in its haze. */
function dark(stage: Stage): void {
  const { still, air } = stage;
  const fill = vertical(still, 0, H, [
    [0, air.tone(0.85)],
    [0.45, air.tone(0.35)],
    [0.7, air.haze(0.3)],
    [1, air.tone(0.8)],
  ]);
  paint(still, `<rect width="${W}" height="${H}" fill="${fill}"/>`);
  const { x, y } = still.sun;
  const glow = round(
    still,
    x,
    y,
    520,
    [
      [0, "#ffc27a", 0.85],
      [0.16, "#ff9430", 0.55],
      [0.5, "#c0520c", 0.2],
      [1, "#b8480a", 0],
    ],
    1.25,
  );
  paint(still, `<g style="mix-blend-mode:screen"><rect width="${W}" height="${H}" fill="${glow}"/></g>`);
}

/** Rock about an opening: outer frame and inner edge as one outline. `teeth` is how far stones hang into it. */
function opening(stage: Stage, key: number, cx: number, cy: number, rx: number, ry: number, teeth: number): string {
  const noise = fractalNoise((stage.seed % 613) + key * 17, 5, 0.6);
  const edge = Array.from({ length: 150 }, (_, i): Point => {
    const a = (i / 150) * Math.PI * 2;
    const up = Math.max(0, -Math.sin(a));
    const fang = Math.abs(noise(i * 0.31 + 7)) ** 0.8 * teeth * (0.35 + up);
    const r = 1 + noise(i * 0.07) * 0.14;
    return [cx + Math.cos(a) * rx * r, cy + Math.sin(a) * ry * r + (Math.sin(a) < 0 ? fang : -fang * 0.5)];
  });
  // Wound against the frame, so that it stays open.
  const frame = `M-70,-70H${W + 70}V${H + 70}H-70Z`;
  return `${frame}M${[...edge]
    .reverse()
    .map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`)
    .join("L")}Z`;
}

function rock(stage: Stage, outline: string, depth: number, rim = 0.9): void {
  const { still, air } = stage;
  const { x, y } = still.sun;
  const lit = round(
    still,
    x,
    y,
    620,
    [
      [0, "#ff9a3c", 0.5 * (1 - depth) + 0.1],
      [0.5, "#b8480a", 0.16 * (1 - depth) + 0.04],
      [1, "#b8480a", 0],
    ],
    1.2,
  );
  paint(
    still,
    `<path d="${outline}" fill="${air.tone(depth)}" fill-rule="evenodd"/><path d="${outline}" fill="${lit}" fill-rule="evenodd"/>`,
  );
  const edge = round(still, x, y, 700, [
    [0, "#ffd9a0", rim],
    [0.4, "#ff9a3c", rim * 0.6],
    [1, "#b8480a", 0],
  ]);
  paint(still, `<path d="${outline}" fill="none" stroke="${edge}" stroke-width="${1.6 + depth * 1.6}" opacity=".8"/>`);
}

function mouth(stage: Stage): void {
  const { seed } = stage;
  const far = hills(stage, 1, { y: 600, rise: 60, stretch: 150, roughness: 0.56, lift: (x) => 60 * Math.sin(x / 160) });
  paintDepth(stage, [far.outline], 0.04, { from: 450, to: 640 });
  paintMist(stage, 600, 150, 0.1);
  const middle = hills(stage, 2, { y: 660, rise: 26, stretch: 140 });
  paintDepth(stage, [middle.outline, ...wood(middle, { seed, from: 300, to: 1150, gap: 9, height: 60 })], 0.3, {
    from: 540,
    to: 700,
  });
  paintMist(stage, 690, 130, 0.35);
  rock(stage, opening(stage, 1, 730, 490, 450, 330, 90), 0.55);
  rock(stage, opening(stage, 2, 710, 500, 560, 390, 130), 0.82);
  const floor = hills(stage, 5, {
    y: 800,
    rise: 20,
    stretch: 90,
    roughness: 0.6,
    lift: (x) => -20 * Math.cos(x / 300),
  });
  const x = 640 + between(stage, -60, 80);
  paintDepth(
    stage,
    [
      floor.outline,
      ...person(x, floor.at(x) + 4, 130, 1, "staff"),
      ...[210, 330, 1050, 1190].flatMap((px, i) => [
        shape("-.34,.2 -.1,-.9 0,-1.3 .12,-.8 .36,.2", px, floor.at(px), 60 + (i % 2) * 70),
      ]),
    ],
    0.92,
    { rim: 1 },
  );
  rock(stage, opening(stage, 3, 700, 480, 720, 480, 190), 1, 0.5);
  paintBirds(stage, 800, 330, 8);
  paintMotes(stage, "#ffc27a", 70);
}

function mine(stage: Stage): void {
  const { still, air, chance } = stage;
  const [vx, vy] = [700, 520];
  const frame = (k: number) => {
    const [half, tall] = [640 * k, 560 * k];
    const y = vy + 330 * k;
    return [
      polygon([
        [vx - half, y + 30 * k],
        [vx - half * 0.9, y - tall],
        [vx - half * 0.9 + 60 * k, y - tall],
        [vx - half + 62 * k, y + 30 * k],
      ]),
      polygon([
        [vx + half, y + 30 * k],
        [vx + half * 0.9, y - tall],
        [vx + half * 0.9 - 60 * k, y - tall],
        [vx + half - 62 * k, y + 30 * k],
      ]),
      polygon([
        [vx - half * 1.02, y - tall - 60 * k],
        [vx + half * 1.02, y - tall - 44 * k],
        [vx + half * 1.02, y - tall + 8 * k],
        [vx - half * 1.02, y - tall],
      ]),
      limb(
        [
          [vx - half * 0.9 + 40 * k, y - tall + 120 * k, 30 * k],
          [vx - half * 0.9 + 190 * k, y - tall, 30 * k],
        ],
        1,
      ),
      limb(
        [
          [vx + half * 0.9 - 40 * k, y - tall + 120 * k, 30 * k],
          [vx + half * 0.9 - 190 * k, y - tall, 30 * k],
        ],
        1,
      ),
    ];
  };
  const ks = [0.11, 0.19, 0.32, 0.55, 0.95];
  const gate = round(still, vx, vy, 130, [
    [0, "#fff0cf", 1],
    [0.3, "#ffc877", 0.85],
    [1, "#ff8000", 0],
  ]);
  paint(still, `<circle cx="${vx}" cy="${vy}" r="130" fill="${gate}"/>`);
  ks.forEach((k, i) => {
    const depth = 0.12 + i * 0.2;
    rock(stage, opening(stage, 10 + i, vx, vy - 90 * k, 760 * k, 620 * k, 110 * k), depth, 0.8);
    if (i < 4) paintMist(stage, vy + 250 * k, 160 * k + 60, depth * 0.8);
    if (i === 0) {
      // The floor with its rails, running out of the light.
      const floor = vertical(still, vy, H, [
        [0, "#ffb25c"],
        [0.08, "#a8622a"],
        [0.3, air.tone(0.5)],
        [1, air.tone(1)],
      ]);
      paint(
        still,
        `<path d="${polygon([
          [vx - 46, vy + 36],
          [vx + 46, vy + 36],
          [W + 60, H + 4],
          [-60, H + 4],
        ])}" fill="${floor}"/>`,
      );
      const rail = (off: number) =>
        polygon([
          [vx + off * 0.045, vy + 36],
          [vx + off * 0.055, vy + 36],
          [vx + off * 1.08, H + 6],
          [vx + off * 0.98, H + 6],
        ]);
      let ties = "";
      for (let t = 0.02; t < 1.1; t *= 1.34) {
        const y = vy + 36 + t * (H - vy - 36);
        const half = 34 + t * 330;
        ties += rectangle(vx - half, y, half * 2, 3 + 20 * t);
      }
      paint(
        still,
        `<path d="${ties}" fill="${air.tone(0.9)}" opacity=".85"/><path d="${rail(-230)}${rail(230)}" fill="#f0a050" opacity=".8"/>`,
      );
    }
    if (i > 1 || i === 0) paintDepth(stage, frame(k), depth + 0.1, { from: 100, to: H, rim: 1 });
  });
  const at = (text: string) => shape(text, 810, 792, 120);
  paintDepth(
    stage,
    [
      at("-.9,-.3 -1.1,-1.04 1.1,-1.04 .9,-.3"),
      at("-1.16,-1.0 -1.16,-1.1 1.16,-1.1 1.16,-1.0"),
      ...[-0.55, 0.55].map((k) => ellipse(810 + k * 120, 768, 28)),
      at("-1.0,-1.06 -.7,-1.34 -.36,-1.2 0,-1.5 .34,-1.26 .74,-1.36 1.0,-1.06"),
    ],
    0.95,
    { rim: 1 },
  );
  paintDepth(stage, person(560, 776, 190, 1), 0.95, { rim: 1 });
  paintPanes(stage, [
    [392, 236, 18],
    [1010, 236, 18],
  ]);
  paintDepth(
    stage,
    [rectangle(391, 150, 3, 74), rectangle(1009, 150, 3, 74), rectangle(380, 218, 24, 5), rectangle(998, 218, 24, 5)],
    1,
  );
  paintMotes(stage, "#ffb964", 60 + Math.floor(chance() * 40));
}

function crystals(stage: Stage): void {
  const { still, air, chance } = stage;
  rock(stage, opening(stage, 1, 560, 470, 430, 250, 110), 0.3);
  const lamp = round(still, 480, 540, 90, [
    [0, "#fff0cf", 1],
    [0.3, "#ffc877", 0.6],
    [1, "#ff8000", 0],
  ]);
  paint(still, `<circle cx="480" cy="540" r="90" fill="${lamp}"/>`);
  paintMist(stage, 580, 150, 0.2);
  paintWater(stage, 606);
  rock(stage, opening(stage, 2, 600, 500, 640, 380, 190), 0.62);
  const cluster = (x: number, y: number, s: number, count: number) => {
    const list: string[] = [];
    let faces = "";
    for (let i = 0; i < count; i++) {
      const angle = (i / (count - 1) - 0.5) * 1.9 + (chance() - 0.5) * 0.2;
      const long = s * (0.5 + chance() * 0.7) * (1.1 - Math.abs(angle) * 0.34);
      const wide = s * (0.06 + chance() * 0.07);
      const [dx, dy] = [Math.sin(angle), -Math.cos(angle)];
      const p = (along: number, off: number): Point => [
        x + (i - count / 2) * wide * 0.9 + dx * long * along - dy * off,
        y + dy * long * along + dx * off,
      ];
      list.push(polygon([p(-0.2, -wide * 0.8), p(0.78, -wide), p(1, 0), p(0.78, wide), p(-0.2, wide * 0.8)]));
      faces += polygon([p(-0.1, 0), p(0.78, wide * 0.1), p(1, 0), p(0.78, wide), p(-0.1, wide * 0.8)]);
    }
    return { list, faces };
  };
  const hue = air.fog(0);
  const sets = [
    cluster(1010, 690, 330, 9),
    cluster(1210, 720, 230, 7),
    cluster(170, 690, 210, 7),
    cluster(760, 640, 110, 6),
  ];
  const glow = round(still, 1040, 560, 360, [
    [0, hue, 0.55],
    [0.5, hue, 0.18],
    [1, hue, 0],
  ]);
  paint(still, `<g style="mix-blend-mode:screen"><rect width="${W}" height="${H}" fill="${glow}"/></g>`);
  for (const { list, faces } of sets) {
    paintDepth(stage, list, 0.42, { from: 380, to: 760, rim: 1, bleed: 0.5 });
    const shine = vertical(still, 380, 740, [
      [0, hue, 0.95],
      [0.6, hue, 0.5],
      [1, hue, 0.06],
    ]);
    paint(
      still,
      `<path d="${faces}" fill="${shine}" opacity=".8"/><path d="${faces}" fill="${hue}" opacity=".5" filter="${blur(still, 18, 18, { x: 0, y: 260, width: W, height: 540 })}"/>`,
    );
  }
  paintMist(stage, 700, 120, 0.5);
  const floor = hills(stage, 5, {
    y: 812,
    rise: 26,
    stretch: 80,
    roughness: 0.6,
    lift: (x) => 60 * Math.cos((x - 60) / 260),
  });
  const x = 560;
  paintDepth(
    stage,
    [
      floor.outline,
      ...person(x, floor.at(x) + 5, 140, -1, "staff"),
      ...[60, 1240, 1330].map((px, i) =>
        shape("-.34,.2 -.1,-.9 0,-1.3 .12,-.8 .36,.2", px, floor.at(px), 110 + i * 30),
      ),
    ],
    0.95,
    { rim: 1 },
  );
  paintPanes(stage, [[x - 33, floor.at(x) - 156, 13]]);
  rock(stage, opening(stage, 3, 640, 470, 780, 500, 240), 1, 0.4);
  paintMotes(stage, hue, 110);
}
