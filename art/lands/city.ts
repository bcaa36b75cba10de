// Cities: a skyline over the river, a street between towers, a bridge that leads in.
import { person } from "../cast/people.ts";
import { limb, type Point, polygon, rectangle, shape, smooth } from "../outline.ts";
import {
  between,
  hills,
  paintBirds,
  paintDepth,
  paintMist,
  paintPanes,
  paintWater,
  type Stage,
  type View,
} from "../stage.ts";
import { paint } from "../still.ts";

const W = 1380;
const H = 862;

export const CITY: readonly View[] = [
  { name: "skyline", light: { x: 560, y: 520, radius: 54 }, paint: skyline },
  { name: "canyon", light: { x: 640, y: 560, radius: 44 }, never: ["night"], paint: canyon },
  { name: "bridge", light: { x: 930, y: 510, radius: 36 }, paint: bridge },
];

type Tower = { x: number; wide: number; top: number };

/** A row of towers from `from` to `to` on the line `foot`; `tall(x)` is how high they may be. */
function towers(
  stage: Stage,
  row: { from: number; to: number; foot: number; wide: number; tall: (x: number) => number; gap?: number },
) {
  const { chance } = stage;
  const shapes: string[] = [];
  const list: Tower[] = [];
  for (let x = row.from; x < row.to; ) {
    const wide = row.wide * (0.6 + chance() * 0.8);
    const tall = row.tall(x + wide / 2) * (0.55 + chance() * 0.5);
    const top = row.foot - tall;
    list.push({ x, wide, top });
    shapes.push(rectangle(x, top, wide, tall + 60));
    const kind = chance();
    const m = x + wide / 2;
    if (kind < 0.2)
      shapes.push(
        rectangle(x + wide * 0.18, top - wide * 0.34, wide * 0.64, wide * 0.4),
        rectangle(x + wide * 0.34, top - wide * 0.62, wide * 0.32, wide * 0.4),
        limb(
          [
            [m, top - wide * 0.5, 3],
            [m, top - wide * 1.5, 1.4],
          ],
          1,
        ),
      );
    else if (kind < 0.36)
      shapes.push(
        polygon([
          [x, top + 2],
          [x + wide, top + 2],
          [x + wide, top - wide * 0.6],
        ]),
      );
    else if (kind < 0.52)
      shapes.push(
        limb(
          [
            [m, top, 3.4],
            [m, top - wide * 0.9, 1.2],
          ],
          1,
        ),
        limb(
          [
            [m + 7, top, 2],
            [m + 7, top - wide * 0.4, 1.2],
          ],
          1,
        ),
      );
    else if (kind < 0.66)
      shapes.push(
        rectangle(x + wide * 0.14, top - 15, wide * 0.3, 17),
        rectangle(x + wide * 0.56, top - 24, wide * 0.24, 26),
        rectangle(x + wide * 0.62, top - 27, wide * 0.12, 4),
      );
    else if (kind < 0.76) shapes.push(shape("-.5,0 -.42,-.5 -.2,-.8 0,-1.5 .2,-.8 .42,-.5 .5,0", m, top + 2, wide));
    x += wide + (row.gap ?? 0) * chance();
  }
  return { shapes, list };
}

/** Windows that are lit, in grids; `share` of them. */
function windows(stage: Stage, list: readonly Tower[], foot: number, size: number, share: number): void {
  const { chance, still } = stage;
  let warm = "";
  let cool = "";
  for (const { x, wide, top } of list) {
    const dark = chance() < 0.18;
    const tint = chance();
    for (let y = top + size * 2; y < foot - size; y += size * 2.3)
      for (let c = x + size; c < x + wide - size; c += size * 1.9) {
        if (dark || chance() > share) continue;
        const pane = rectangle(c, y, size * 0.9, size * 1.15);
        if (tint < 0.22) cool += pane;
        else warm += pane;
      }
  }
  paint(
    still,
    `<path d="${warm}" fill="#ffb964" opacity=".85"/><path d="${cool}" fill="${stage.air.fog(0)}" opacity=".55"/>`,
  );
}

function skyline(stage: Stage): void {
  const hump = (c: number, reach: number, tall: number) => (x: number) =>
    60 + tall * Math.exp(-(((x - c) / reach) ** 2));
  const far = towers(stage, {
    from: -20,
    to: W,
    foot: 610,
    wide: 36,
    tall: (x) => 90 + hump(430, 260, 150)(x) + hump(1100, 200, 130)(x),
  });
  paintDepth(stage, far.shapes, 0.04, { from: 380, to: 620 });
  paintMist(stage, 590, 160, 0.1);
  const middle = towers(stage, {
    from: -20,
    to: W,
    foot: 630,
    wide: 54,
    tall: (x) => hump(940, 240, 380)(x) + hump(60, 200, 130)(x),
  });
  paintDepth(stage, middle.shapes, 0.34, { from: 300, to: 650 });
  windows(stage, middle.list, 624, 5, 0.2);
  paintMist(stage, 622, 100, 0.35);
  paintWater(stage, 634);
  const near = towers(stage, { from: 1000, to: W + 40, foot: 660, wide: 88, tall: (x) => 230 + (x - 1000) * 0.9 });
  const left = towers(stage, { from: -60, to: 210, foot: 660, wide: 84, tall: (x) => 330 - x * 0.7 });
  paintDepth(
    stage,
    [...near.shapes, ...left.shapes, rectangle(985, 650, 420, 40), rectangle(-20, 650, 250, 40)],
    0.66,
    { from: 260, to: 720 },
  );
  windows(stage, [...near.list, ...left.list], 640, 8, 0.34);
  paintMist(stage, 700, 100, 0.6);
  const y = 790;
  const posts = Array.from({ length: 24 }, (_, i) => rectangle(i * 60 - 4, y - 34, 5, 44));
  paintDepth(
    stage,
    [
      rectangle(-10, y, W + 20, 90),
      rectangle(-10, y - 36, W + 20, 6),
      rectangle(-10, y - 18, W + 20, 3),
      ...posts,
      ...person(430, y + 2, 116, 1),
      ...lamp(250, y, 250),
      ...lamp(1120, y, 250),
    ],
    1,
    { rim: 0.9 },
  );
  paintPanes(stage, [
    [250, y - 246, 15],
    [1120, y - 246, 15],
  ]);
}

function lamp(x: number, y: number, tall: number): string[] {
  return [
    limb(
      [
        [x, y, 8],
        [x, y - tall * 0.4, 6],
        [x, y - tall, 4],
      ],
      1,
    ),
    shape("-13,-4 -9,-22 9,-22 13,-4", x, y - tall + 8, 1),
    shape("-16,-20 0,-32 16,-20", x, y - tall + 8, 1),
  ];
}

function canyon(stage: Stage): void {
  const { still, air, chance } = stage;
  const [vx, vy] = [640, 636];
  const far = towers(stage, { from: 470, to: 830, foot: vy + 4, wide: 30, tall: (x) => 90 + Math.abs(x - vx) * 1.1 });
  paintDepth(stage, far.shapes, 0.04, { from: 420, to: 650 });
  paintMist(stage, 620, 130, 0.1);
  paint(
    still,
    `<path d="${polygon([
      [vx - 30, vy],
      [vx + 30, vy],
      [W + 200, H + 4],
      [-260, H + 4],
    ])}" fill="${air.tone(0.78)}"/>`,
  );
  const rows = [0.1, 0.2, 0.38, 0.66, 1.1];
  rows.forEach((near, i) => {
    const depth = 0.14 + i * 0.2;
    const foot = vy + (H - vy) * near * 0.9;
    const shapes: string[] = [];
    const list: Tower[] = [];
    const signs: [number, number, number, number][] = [];
    for (const side of [-1, 1] as const) {
      const wide = 420 * near + 20;
      const inner = vx + side * (34 + 470 * near);
      const top = Math.max(-30, vy - 760 * near * (0.62 + chance() * 0.5) - 60);
      const x = side === 1 ? inner : inner - wide;
      shapes.push(rectangle(x, top, wide, foot - top));
      list.push({ x, wide, top });
      // Balconies, pipes and signs that stand out into the street.
      const levels = Math.floor((foot - top) / (74 * near + 22));
      for (let k = 1; k < levels; k++) {
        const y = top + k * (74 * near + 22);
        if (chance() < 0.55) shapes.push(rectangle(side === 1 ? inner - 26 * near : inner, y, 26 * near, 7 * near + 1));
        if (chance() < 0.34 && i > 0) {
          const tall = (70 + chance() * 110) * near;
          const w = 26 * near + 3;
          const sx = side === 1 ? inner - w - 12 * near : inner + 12 * near;
          shapes.push(
            rectangle(sx - 2, y - 2, w + 4, tall + 4),
            rectangle(side === 1 ? sx + w : inner, y + 8 * near, 13 * near, 3),
          );
          signs.push([sx + 2, y + 2, w - 4, tall - 4]);
        }
      }
      if (chance() < 0.7)
        shapes.push(
          limb(
            [
              [x + wide * 0.5, top, 4 * near + 1],
              [x + wide * 0.5, top - 150 * near, 1],
            ],
            1,
          ),
        );
    }
    paintDepth(stage, shapes, Math.min(1, depth), { from: 150, to: foot, bleed: 0.34 * (1 - i * 0.16) });
    windows(stage, list, foot - 30 * near, 5 + near * 11, 0.22);
    const tints = ["#ff9a3c", air.fog(0), "#ffc27a"];
    for (const [x, y, w, tall] of signs) {
      const tint = tints[Math.floor(chance() * 3)] ?? "#ff9a3c";
      let bars = "";
      for (let b = y + w * 0.3; b < y + tall - w * 0.5; b += w * 0.95)
        bars += rectangle(x + w * 0.18, b, w * 0.64, w * (0.3 + chance() * 0.3));
      paint(still, `<path d="${bars}" fill="${tint}" opacity=".9"/>`);
    }
    if (i < 4) paintMist(stage, foot - 6, 90 + near * 90, depth);
  });
  // Wires from wall to wall.
  let wires = "";
  for (let i = 0; i < 7; i++) {
    const y = 110 + chance() * 330;
    const half = 90 + (460 - y) * 0.7;
    wires += `<path d="M${vx - half},${y.toFixed(0)}Q${vx},${(y + 30 + chance() * 40).toFixed(0)} ${vx + half},${(y + (chance() - 0.5) * 80).toFixed(0)}"/>`;
  }
  paint(still, `<g fill="none" stroke="${air.tone(1)}" stroke-width="2" opacity=".75">${wires}</g>`);
  paintDepth(
    stage,
    [...person(596, 806, 128, 1, "cloak"), ...person(740, 730, 70, -1), ...person(680, 690, 40, 1)],
    0.95,
    { rim: 1 },
  );
}

function bridge(stage: Stage): void {
  const { still, air } = stage;
  const far = towers(stage, {
    from: 620,
    to: W + 20,
    foot: 606,
    wide: 32,
    tall: (x) => 70 + 190 * Math.exp(-(((x - 1130) / 190) ** 2)),
  });
  const shore = hills(stage, 2, { y: 600, rise: 20, stretch: 200, lift: () => 6 });
  paintDepth(stage, [...far.shapes, shore.outline], 0.06, { from: 400, to: 630 });
  windows(stage, far.list, 600, 3.4, 0.16);
  paintMist(stage, 606, 130, 0.1);
  paintWater(stage, 626);
  const scale = (t: number) => 1 / (1 + t * 2.1);
  // The deck runs from the right foreground to the far shore.
  const at = (t: number): Point => [110 + (1 - scale(t)) * 1190, 700 - (1 - scale(t)) * 116];
  const gates = [0.06, 0.74, 2.1].map((t) => ({ t, k: scale(t), p: at(t) }));
  const shapes: string[] = [];
  const deck = Array.from({ length: 30 }, (_, i) => at(-0.16 + i * 0.18));
  shapes.push(
    polygon([...deck, ...[...deck].reverse().map(([x, y], i): Point => [x, y + 20 * scale(-0.16 + (29 - i) * 0.18)])]),
  );
  for (const { k, p } of gates) {
    const [x, y] = p;
    for (const off of [-26, 26]) shapes.push(shape("-9,-470 9,-470 13,160 -13,160", x + off * k, y, k));
    for (const level of [-460, -330, -200, -60]) shapes.push(rectangle(x - 34 * k, y + level * k, 68 * k, 15 * k));
    shapes.push(rectangle(x - 46 * k, y + 130 * k, 92 * k, 60 * k));
  }
  paintDepth(stage, shapes, 0.7, { from: 240, to: 760 });
  let lines = "";
  for (let i = 0; i < gates.length; i++) {
    const [a, b] = [gates[i], gates[i + 1]];
    if (!a) continue;
    const end = b ?? { k: scale(6), p: at(6), t: 6 };
    const p: Point = [a.p[0], a.p[1] - 462 * a.k];
    const q: Point = [end.p[0], end.p[1] - 462 * end.k * (b ? 1 : 0.1)];
    const dip: Point = [p[0] * 0.55 + q[0] * 0.45, Math.max(p[1], q[1]) * 0.3 + ((a.p[1] + end.p[1]) / 2) * 0.62];
    const curve = smooth([p, dip, q], 22);
    lines += `<path d="M${curve.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join("L")}" stroke-width="${(3.4 * a.k + 0.6).toFixed(2)}"/>`;
    for (const [x, y] of curve.filter((_, n) => n % 2 === 1)) {
      const foot = 700 - ((x - 110) / 1190) * 116;
      lines += `<path d="M${x.toFixed(1)},${y.toFixed(1)}V${foot.toFixed(1)}" stroke-width="${(1.1 * a.k + 0.3).toFixed(2)}"/>`;
    }
  }
  const first = gates[0];
  if (first) lines += `<path d="M${first.p[0]},${first.p[1] - 462 * first.k}L-40,560" stroke-width="4"/>`;
  paint(still, `<g fill="none" stroke="${air.tone(0.8)}">${lines}</g>`);
  paintPanes(
    stage,
    gates.flatMap(({ k, p }) => [[p[0], p[1] - 474 * k, 7 * k + 2] as const]),
  );
  paintPanes(
    stage,
    Array.from({ length: 12 }, (_, i) => {
      const [x, y] = at(i * 0.26);
      return [x + 20, y - 8, 6 * scale(i * 0.26) + 1] as const;
    }),
  );
  paintMist(stage, 720, 110, 0.6);
  const near = hills(stage, 5, { y: 858, rise: 12, stretch: 150, lift: (x) => (x < 360 ? 90 * (1 - x / 360) : 0) });
  paintDepth(stage, [near.outline, ...person(1130, 862, 92, -1), rectangle(960, 838, 440, 40)], 1);
  paintBirds(stage, 700, 260, between(stage, 6, 10));
}
