import { paintLayer } from "../layer.ts";
import { polygon } from "../outline.ts";
import { fractalNoise, seeded } from "../random.ts";
import { ridge } from "../ridge.ts";
import { define, paint, type Still } from "../still.ts";

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
export function crag(still: Still, form: Crag): void {
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
