// A longship under a striped sail, heading right, lit from the side of the sun.
import { paintLayer } from "../layer.ts";
import { ellipse, limbAt, type Point, placed, points, polygon, shape, smooth } from "../outline.ts";
import { seeded } from "../random.ts";
import { blur, define, paint, type Still, vertical } from "../still.ts";

const KEEL = smooth(points("-8.6,-2.3 -7.9,-1.35 -6.4,-0.3 -4.2,0.45 0,0.72 4.2,0.45 6.4,-0.3 7.9,-1.4 8.6,-2.5"));
const RAIL = smooth(points("8.2,-2.5 6.9,-1.35 4.6,-0.72 0,-0.42 -4.6,-0.7 -6.9,-1.3 -8.2,-2.2"));
const LUFF = smooth(points("-5,-10.1 -4.45,-8 -4.35,-5.6 -4.7,-3.1"));
const LEECH = smooth(points("5.2,-10.4 5.85,-8.3 5.95,-6 5.3,-3.2"));
const STRIPES = 9;

/** Paints the ship with its reflection; (x, y) is the waterline amidships, `s` a seventeenth of its length. */
export function paintLongship(still: Still, x: number, y: number, s: number): void {
  const hull = polygon(placed([...KEEL, ...RAIL], x, y, s));
  const water = y + 0.34 * s;
  reflect(still, x, y, s);
  paintSail(still, x, y, s);
  const rope = (text: string) => limbAt(text, x, y, s, s, 1);
  const rigging = [
    "0,-11.2,.06 8.4,-3,.06",
    "0,-11.2,.06 -8.3,-2.8,.06",
    "5.2,-3.3,.06 6.3,-1.2,.06",
    "-4.6,-3.1,.06 -6,-1.2,.06",
  ].map(rope);
  const spars = [
    shape("-.12,-11.5 .12,-11.5 .2,-.4 -.2,-.4", x, y, s),
    shape("-5.4,-10.3 5.6,-10.6 5.6,-10.34 -5.4,-10", x, y, s),
    polygon(placed(smooth(points(".1,-11.8 1.4,-11.5 2.8,-11.9 1.5,-11.15 .1,-11.25"), 6, true), x, y, s)),
  ];
  const prow = [
    limbAt(
      "5.2,-.3,.5 6.9,-.9,.72 8.05,-1.75,.72 8.75,-3,.56 9,-4.3,.46 9.15,-5,.56 9.7,-5.3,.52 10.4,-5.02,.14",
      x,
      y,
      s,
    ),
    shape("9.1,-5.2 8.55,-5.95 9.45,-5.4", x, y, s),
    shape("8.75,-4.1 8.3,-4.5 8.85,-4.6", x, y, s),
    shape("8.6,-3.3 8.1,-3.6 8.7,-3.8", x, y, s),
  ];
  const stern = limbAt(
    "-5.2,-.3,.5 -6.9,-.85,.72 -8.1,-1.65,.66 -8.85,-2.8,.5 -9.2,-4,.38 -8.9,-4.9,.32 -8.3,-4.95,.26 -8.2,-4.45,.12",
    x,
    y,
    s,
  );
  const shields = Array.from({ length: 12 }, (_, i) =>
    ellipse(x + (-5.1 + i * 0.93) * s, y + (-0.38 - 0.3 * ((i - 5.5) / 5.5) ** 2) * s, 0.43 * s),
  );
  const crew = Array.from({ length: 8 }, (_, i) =>
    ellipse(x + (-4.5 + i * 1.27) * s, y - 1.02 * s, 0.19 * s, 0.26 * s),
  );
  const oars = Array.from({ length: 8 }, (_, i) =>
    limbAt("0,-.3,.08 -.75,.75,.08 -.95,1,.2", x + (-3.4 + i * 1.12) * s, y, s, s, 2),
  );
  const above = define(
    still,
    (id) => `<clipPath id="${id}"><rect width="${still.width}" height="${water}"/></clipPath>`,
  );
  paint(still, `<g clip-path="${above}">`);
  paintLayer(still, [...rigging, ...spars, ...prow, stern, ...crew, hull, ...shields], {
    tone: "#060b0c",
    rim: 1,
    rimWidth: s * 0.14,
    reach: still.height * 0.55,
    bleed: 0.1,
  });
  paint(still, "</g>");
  paintLayer(still, oars, { tone: "#081012", rim: 0.6, rimWidth: s * 0.08 });
  paintWake(still, x, water, s);
}

function cloth(t: number): Point[] {
  return LUFF.map(([lx, ly], i): Point => {
    const [rx, ry] = LEECH[i] ?? [lx, ly];
    const foot = Math.sin(Math.PI * t) * 0.6 * (i / (LUFF.length - 1)) ** 3;
    return [lx + (rx - lx) * t, ly + (ry - ly) * t + foot];
  });
}

function paintSail(still: Still, x: number, y: number, s: number): void {
  const dye = (top: string, middle: string, foot: string) =>
    vertical(still, y - 10.6 * s, y - 3 * s, [
      [0, top],
      [0.5, middle],
      [1, foot],
    ]);
  const dyes = [dye("#2c1410", "#5d2412", "#983d10"), dye("#786550", "#b9834e", "#eaa253")];
  for (let i = 0; i < STRIPES; i++) {
    const strip = polygon(placed([...cloth(i / STRIPES), ...cloth((i + 1) / STRIPES).reverse()], x, y, s));
    paint(still, `<path d="${strip}" fill="${dyes[i % 2]}"/>`);
  }
  const lit = still.sun.x > x ? "" : ' x1="1" x2="0"';
  const shade = define(
    still,
    (id) =>
      `<linearGradient id="${id}"${lit}><stop offset="0" stop-color="#040b0c" stop-opacity=".78"/><stop offset=".55" stop-color="#040b0c" stop-opacity=".34"/><stop offset="1" stop-color="#ff8000" stop-opacity=".25"/></linearGradient>`,
  );
  paint(still, `<path d="${polygon(placed([...cloth(0), ...cloth(1).reverse()], x, y, s))}" fill="${shade}"/>`);
  const folds = [0.2, 0.42, 0.63, 0.84].map((t) => {
    const line = cloth(t);
    return polygon(placed([...line, ...line.map(([px, py]): Point => [px + 0.22, py]).reverse()], x, y, s));
  });
  paint(still, `<path d="${folds.join("")}" fill="#04090a" opacity=".2" filter="${blur(still, s * 0.09)}"/>`);
}

function reflect(still: Still, x: number, y: number, s: number): void {
  const flipped = (outline: readonly Point[], squash: number) =>
    polygon(
      placed(
        outline.map(([px, py]): Point => [px, 0.7 - py * squash]),
        x,
        y,
        s,
      ),
    );
  paint(
    still,
    `<g filter="${blur(still, s * 0.2, s * 0.42)}" fill="#04090a"><path d="${flipped([...KEEL, ...RAIL], 0.6)}" opacity=".8"/><path d="${flipped([...cloth(0), ...cloth(1).reverse()], 0.46)}" opacity=".4"/></g>`,
  );
}

function paintWake(still: Still, x: number, water: number, s: number): void {
  const chance = seeded(3);
  let foam = "";
  for (let i = 0; i < 90; i++) {
    const along = -8 + chance() * 15.5;
    const off = chance() ** 2 * 1.5;
    const size = (0.2 + chance() * 0.7) * s;
    foam += `<path d="${ellipse(x + along * s, water + (off - 0.08) * s, size, s * (0.025 + off * 0.03))}" fill="${chance() < 0.45 ? "#ffb463" : "#a9c0b6"}" opacity="${(0.5 * (1 - off / 1.7) * (0.3 + chance() * 0.7)).toFixed(2)}"/>`;
  }
  paint(still, foam);
}
