import { paintLayer } from "../layer.ts";
import { ellipse, limb, type Point, polygon, rectangle, shape } from "../outline.ts";
import { blur, paint, round, type Still, vertical } from "../still.ts";

/** Paints lawn and road running to the vanishing point (vx, vy). */
export function paintStreet(still: Still, vx: number, vy: number): void {
  const { width: w, height: h } = still;
  const lawn = vertical(still, vy - 4, h, [
    [0, "#a7653a"],
    [0.12, "#46402a"],
    [0.5, "#15160f"],
    [1, "#050605"],
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
    [0.25, "#463a2c"],
    [0.6, "#1a1a16"],
    [1, "#090a08"],
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
export function house(x: number, y: number, s: number, side: number, kind: number): string[] {
  const at = (text: string) => shape(text, x, y, s * -side, s);
  const wall = at("-.62,.06 -.62,-.5 .62,-.5 .62,.06");
  const gable = kind % 2 === 0 ? at("-.74,-.48 -.1,-.98 .5,-.48") : at("-.72,-.48 -.52,-.88 .5,-.88 .74,-.48");
  const wing = at(".1,-.46 .44,-.76 .8,-.46 .74,-.46 .74,.06 .1,.06");
  const chimney = at("-.44,-.7 -.44,-1.08 -.48,-1.08 -.48,-1.13 -.26,-1.13 -.26,-1.08 -.3,-1.08 -.3,-.7");
  const porch = at(".58,-.3 1.0,-.24 1.0,-.2 .97,-.2 .97,.06 .94,.06 .94,-.2 .58,-.2");
  const dish = ellipse(x + s * 0.3 * side, y - s * 0.86, s * 0.05);
  return [wall, gable, wing, chimney, porch, ...(kind % 3 === 0 ? [dish] : [])];
}

/** A picket fence between two x, its foot at `y`, `s` pixels high. */
export function fence(from: number, to: number, y: number, s: number): string[] {
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

/** Paints the row of power poles towards the vanishing point, with sagging wires. */
export function paintPoles(still: Still, vx: number, vy: number): void {
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

/** Paints the one street lamp that still burns. */
export function paintLamp(still: Still): void {
  const { width: w, height: h } = still;
  const x = w * 0.8;
  const [top, foot] = [h * 0.2, h * 0.99];
  const head: Point = [x - h * 0.135, top + h * 0.012];
  const cone = vertical(still, head[1], foot, [
    [0, "#ffc98a", 0.34],
    [0.5, "#ff9a4a", 0.16],
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
