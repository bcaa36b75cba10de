// Project Zomboid: a suburban street at dusk, houses and sagging wires, one lamp, and figures that do not hurry.
import { horde } from "../cast/shamblers.ts";
import { fence, house, paintLamp, paintPoles, paintStreet } from "../cast/street.ts";
import { paintFog } from "../fog.ts";
import { paintLayer } from "../layer.ts";
import { marks, rectangle } from "../outline.ts";
import { seeded } from "../random.ts";
import { ridge } from "../ridge.ts";
import { paintCloud, paintSky, paintSun } from "../sky.ts";
import { openStill, paint, type Scene, type Shot, type Still } from "../still.ts";
import { branches, crown } from "../trees.ts";

/** The scene, for `plan.ts`. */
export const projectZomboid: Scene = { slug: "projectzomboid", draw };

function draw(shot: Shot): Still {
  const { width: w, height: h } = shot;
  const still = openStill(shot, { x: w * 0.455, y: h * 0.575, radius: h * 0.05 });
  const vx = w * 0.47;
  const vy = h * 0.63;
  paintSky(
    still,
    [
      [0, "#0c0e0b"],
      [0.35, "#24281f"],
      [0.65, "#565039"],
      [0.86, "#a0703a"],
      [1, "#d9842e"],
    ],
    h * 0.66,
    1,
  );
  paintCloud(still, { seed: 61, top: 0, bottom: h * 0.6, colour: "#a0a084", opacity: 0.24, cover: 0.5, stretch: 6 });
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
  const treeline = ridge(shot, { seed: 6, y: vy - h * 0.028, rise: h * 0.02, stretch: w * 0.05, roughness: 0.62 });
  paintLayer(still, [treeline.outline], {
    tone: "#8a6438",
    haze: "#b87a3c",
    from: vy - h * 0.06,
    to: vy,
    bleed: 0.6,
    reach: h * 0.5,
  });
  paintStreet(still, vx, vy);
  paintFog(still, { seed: 90, y: vy, height: h * 0.08, colour: "#c08c52", opacity: 0.6, torn: 0.5, warm: 0.6 });

  // Each row of houses: how near (1 is the front row), tone, and where its gables stand.
  const rows: [number, string, string, number][] = [
    [0.12, "#6f5c40", "#b88045", 0.5],
    [0.24, "#484030", "#8a6844", 0.4],
    [0.46, "#25251d", "#4c4636", 0.26],
    [0.95, "#0c0d0a", "#141510", 0.1],
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
      colour: i < 2 ? "#b39568" : "#6e6a54",
      opacity: 0.5 - i * 0.09,
      torn: 0.7,
      warm: 0.5 - i * 0.1,
    });
    if (i === 1) horde(still, vx, vy, marks("-.35,.17,2 .4,.2,5 .05,.15,8 -.05,.21,4"), "#3c3424");
    if (i === 2) horde(still, vx, vy, marks("-.62,.36,1 .52,.33,6 .2,.42,3"), "#1b1a14");
  });
  paintPoles(still, vx, vy);
  horde(still, vx, vy, marks("-.2,.66,9 .5,.74,7"), "#0b090c");
  paintLamp(still);
  paintFog(still, {
    seed: 55,
    y: h * 0.93,
    height: h * 0.16,
    colour: "#4a483a",
    opacity: 0.35,
    torn: 0.85,
    warm: 0.15,
  });
  paintCrows(still);
  return still;
}

function paintCrows(still: Still): void {
  const { width: w, height: h } = still;
  const chance = seeded(14);
  let d = "";
  for (let i = 0; i < 9; i++) {
    const [x, y, s] = [w * (0.5 + chance() * 0.13), h * (0.12 + chance() * 0.2), h * (0.005 + chance() * 0.007)];
    d += `M${x - s * 1.6},${y - s * 0.6}Q${x - s * 0.6},${y - s * 0.8} ${x},${y}Q${x + s * 0.7},${y - s} ${x + s * 1.6},${y - s * 0.2}`;
  }
  paint(still, `<path d="${d}" fill="none" stroke="#0d0a0c" stroke-width="${h * 0.0026}" stroke-linecap="round"/>`);
}
