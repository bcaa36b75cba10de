// Mountains: a keep on a spire of rock, a viaduct across a pass, a climber before one great peak.
import { crag } from "../cast/crags.ts";
import { person } from "../cast/people.ts";
import { limb, polygon, rectangle, shape } from "../outline.ts";
import { swell } from "../ridge.ts";
import { between, hills, paintBirds, paintDepth, paintMist, paintPanes, type Stage, type View } from "../stage.ts";
import { wood } from "../trees.ts";

const W = 1380;

export const MOUNTAINS: readonly View[] = [
  { name: "keep", light: { x: 390, y: 470, radius: 38 }, paint: keep },
  { name: "viaduct", light: { x: 650, y: 420, radius: 52 }, paint: viaduct },
  { name: "summit", light: { x: 1105, y: 556, radius: 46 }, paint: summit },
];

function peaks(
  stage: Stage,
  depth: number,
  list: readonly (readonly [number, number, number])[],
  y: number,
  key: number,
): void {
  const { still, air, seed } = stage;
  crag(still, {
    seed: (seed % 911) + key,
    y,
    peaks: list,
    tone: air.tone(depth),
    snow: air.fog(0.2),
    haze: air.haze(depth),
    foot: y + 60,
    strength: 0.3 + depth * 0.3,
    bleed: 0.34 - depth * 0.2,
  });
}

function keep(stage: Stage): void {
  peaks(
    stage,
    0.1,
    [
      [0.08, 0.2, 0.2],
      [0.36, 0.16, 0.2],
      [0.62, 0.3, 0.24],
      [0.92, 0.26, 0.26],
    ],
    560,
    1,
  );
  paintMist(stage, 560, 170, 0.1);
  const far = hills(stage, 3, { y: 650, rise: 60, stretch: 170, roughness: 0.56, lift: (x) => 90 * swell(x, 0, 330) });
  paintDepth(stage, [far.outline], 0.32, { from: 520, to: 700 });
  paintMist(stage, 690, 150, 0.35);
  const x = between(stage, 860, 980);
  const spire = hills(stage, 5, {
    y: 830,
    rise: 34,
    stretch: 44,
    roughness: 0.64,
    lift: (px) => {
      const d = Math.abs(px - x) - 118;
      return d < 0 ? 430 : Math.max(0, 430 - Math.min(d, 46) * 4 - Math.max(0, d - 46) * 0.9 - 34 * Math.sin(d / 19));
    },
  });
  const top = 418;
  const tower = (off: number, wide: number, tall: number, roof: number) => [
    rectangle(x + off - wide / 2, top - tall, wide, tall + 40),
    rectangle(x + off - wide * 0.62, top - tall, wide * 1.24, wide * 0.16),
    shape("-.66,0 0,-1 .66,0", x + off, top - tall + 1, wide, roof),
    limb(
      [
        [x + off, top - tall - roof + 4, 2],
        [x + off, top - tall - roof - 26, 2],
      ],
      1,
    ),
  ];
  paintDepth(
    stage,
    [
      spire.outline,
      ...tower(-92, 44, 120, 62),
      ...tower(-30, 60, 190, 92),
      ...tower(48, 46, 150, 76),
      ...tower(104, 36, 92, 50),
      rectangle(x - 112, top - 66, 226, 110),
      ...Array.from({ length: 11 }, (_, i) => rectangle(x - 112 + i * 21, top - 78, 11, 14)),
    ],
    0.66,
    { from: 260, to: 840 },
  );
  paintPanes(stage, [
    [x - 92, top - 84, 8],
    [x - 30, top - 150, 10],
    [x - 30, top - 110, 8],
    [x + 48, top - 112, 9],
    [x + 104, top - 60, 7],
    [x - 62, top - 30, 8],
    [x + 14, top - 34, 8],
  ]);
  // The bridge to the keep.
  const y = 446;
  paintDepth(
    stage,
    [
      rectangle(x + 120, y - 6, W - x, 15),
      ...[0, 1, 2].map((i) => rectangle(x + 210 + i * 130, y, 26, 520)),
      ...[1, 2, 3].map((i) => arch(x + 223 + (i - 1) * 130, y + 8, 130, 60)),
    ],
    0.74,
    { from: 400, to: 840 },
  );
  paintBirds(stage, x - 240, 230, 8);
  paintMist(stage, 800, 150, 0.7);
  const near = hills(stage, 7, {
    y: 862,
    rise: 34,
    stretch: 120,
    roughness: 0.58,
    lift: (px) => 150 * swell(px, -20, 420) + 40 * swell(px, W, 300),
  });
  paintDepth(
    stage,
    [near.outline, ...wood(near, { seed: stage.seed + 8, from: -20, to: 420, gap: 40, height: 190 })],
    1,
  );
}

/** The spandrel of masonry that closes an arch of a bridge. */
function arch(x: number, y: number, span: number, rise: number): string {
  const half = span / 2;
  const curve = Array.from({ length: 13 }, (_, i) => {
    const a = (i / 12) * Math.PI;
    return [x - Math.cos(a) * (half - 12), y + rise - Math.sin(a) * rise] as const;
  });
  return polygon([[x - half, y], [x + half, y], [x + half, y + rise], ...[...curve].reverse(), [x - half, y + rise]]);
}

function viaduct(stage: Stage): void {
  const { seed } = stage;
  peaks(
    stage,
    0.06,
    [
      [0.2, 0.3, 0.26],
      [0.78, 0.34, 0.26],
      [0.5, 0.1, 0.2],
    ],
    560,
    2,
  );
  paintMist(stage, 560, 180, 0.1);
  const back = hills(stage, 2, {
    y: 690,
    rise: 36,
    stretch: 120,
    roughness: 0.58,
    lift: (x) => 330 * swell(x, 40, 460) + 300 * swell(x, 1360, 430),
  });
  paintDepth(
    stage,
    [
      back.outline,
      ...wood(back, { seed, from: 0, to: W, gap: 12, height: 46, grows: (x) => (back.at(x) < 640 ? 0.7 : 0.2) }),
    ],
    0.3,
    { from: 360, to: 730 },
  );
  paintMist(stage, 690, 170, 0.3);
  const deck = 500 + between(stage, -20, 20);
  const span = 138;
  const piers = Array.from({ length: 10 }, (_, i) => 70 + i * span);
  paintDepth(
    stage,
    [
      rectangle(-20, deck - 16, W + 40, 22),
      rectangle(-20, deck - 24, W + 40, 6),
      ...piers.flatMap((x) => [shape("-14,0 14,0 20,420 -20,420", x, deck, 1), arch(x + span / 2, deck + 2, span, 74)]),
    ],
    0.56,
    { from: 440, to: 800 },
  );
  train(stage, deck - 24);
  paintMist(stage, 730, 200, 0.55);
  const slopes = hills(stage, 4, {
    y: 850,
    rise: 40,
    stretch: 100,
    roughness: 0.6,
    lift: (x) => 380 * swell(x, -60, 330) + 430 * swell(x, 1450, 330),
  });
  paintDepth(
    stage,
    [
      slopes.outline,
      ...wood(slopes, {
        seed: seed + 5,
        from: 0,
        to: W,
        gap: 20,
        height: 120,
        grows: (x) => (slopes.at(x) < 800 ? 0.8 : 0.3),
      }),
    ],
    0.9,
  );
  paintBirds(stage, 760, 300, 7);
}

function train(stage: Stage, y: number): void {
  const cars = Array.from({ length: 5 }, (_, i) => 820 - i * 92);
  paintDepth(
    stage,
    [
      ...cars.slice(1).map((x) => rectangle(x, y - 34, 84, 34)),
      shape("0,0 0,-30 22,-30 22,-48 44,-48 44,-30 66,-30 66,-56 60,-66 82,-66 76,-56 76,-28 92,-20 96,0", 820, y, 1),
    ],
    0.8,
    { from: 400, to: 900 },
  );
  paintPanes(
    stage,
    cars.slice(1).flatMap((x) => [14, 34, 54, 74].map((off) => [x + off - 3, y - 20, 9] as const)),
  );
}

function summit(stage: Stage): void {
  peaks(
    stage,
    0.04,
    [
      [1.04, 0.15, 0.13],
      [0.1, 0.18, 0.22],
      [0.68, 0.12, 0.2],
    ],
    600,
    3,
  );
  paintMist(stage, 590, 150, 0.1);
  peaks(
    stage,
    0.36,
    [
      [0.4, 0.6, 0.36],
      [0.24, 0.34, 0.2],
      [0.6, 0.3, 0.22],
    ],
    690,
    4,
  );
  paintMist(stage, 690, 230, 0.3);
  const rock = hills(stage, 5, {
    y: 850,
    rise: 22,
    stretch: 70,
    roughness: 0.62,
    lift: (x) =>
      120 * swell(x, 200, 420) + (x > 900 ? Math.min(230, (x - 900) * 1.1) : 0) - (x > 1130 ? (x - 1130) * 0.2 : 0),
  });
  const x = 1120;
  const y = rock.at(x) + 3;
  paintDepth(
    stage,
    [
      rock.outline,
      ...person(x, y, 82, -1, "staff"),
      rectangle(x + 58, y - 130, 3.4, 134),
      shape("0,0 -.34,.04 -.62,-.03 -1,.07 -.98,.4 -.6,.31 -.3,.4 0,.34", x + 58, y - 130, 78),
    ],
    0.94,
    { rim: 0.9 },
  );
  paintBirds(stage, 800, 260, 6);
}
