// Cloud and mist as small pictures of noise, laid into the drawing enlarged: far quicker than a filter of noise at full size.
import { crc32, deflateSync } from "node:zlib";
import { paint, type Still } from "./still.ts";

/** The sixteen ways in which a gradient points. */
const ACROSS = Float64Array.from({ length: 16 }, (_, n) => Math.cos(n * (Math.PI / 8)));
const DOWN = Float64Array.from({ length: 16 }, (_, n) => Math.sin(n * (Math.PI / 8)));

/** Smooth noise over the plane in about -1..1 (gradients on a lattice), fixed by its seed. */
function planeNoise(seed: number): (x: number, y: number) => number {
  const gradient = (i: number, j: number, x: number, y: number) => {
    let h = Math.imul(i ^ Math.imul(j, 0x27d4eb2d) ^ Math.imul(seed, 0x9e3779b1), 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
    const turn = (h ^ (h >>> 16)) & 15;
    return (ACROSS[turn] ?? 0) * x + (DOWN[turn] ?? 0) * y;
  };
  return (x, y) => {
    const [i, j] = [Math.floor(x), Math.floor(y)];
    const [fx, fy] = [x - i, y - j];
    const [sx, sy] = [fx * fx * (3 - 2 * fx), fy * fy * (3 - 2 * fy)];
    const top = gradient(i, j, fx, fy) * (1 - sx) + gradient(i + 1, j, fx - 1, fy) * sx;
    const foot = gradient(i, j + 1, fx, fy - 1) * (1 - sx) + gradient(i + 1, j + 1, fx - 1, fy - 1) * sx;
    return (top * (1 - sy) + foot * sy) * 1.5;
  };
}

/** A PNG of RGBA pixels. */
function png(pixels: Uint8Array, width: number, height: number): Buffer {
  const chunk = (type: string, body: Buffer) => {
    const out = Buffer.alloc(12 + body.length);
    out.writeUInt32BE(body.length, 0);
    out.write(type, 4, "latin1");
    body.copy(out, 8);
    out.writeUInt32BE(crc32(out.subarray(4, 8 + body.length)), 8 + body.length);
    return out;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // 8 bits, red green blue alpha.
  head.set([8, 6, 0, 0, 0], 8);
  const rows = Buffer.alloc(height * (width * 4 + 1));
  for (let y = 0; y < height; y++)
    rows.set(pixels.subarray(y * width * 4, (y + 1) * width * 4), y * (width * 4 + 1) + 1);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows, { level: 1 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Pixels of the picture to one of the noise. */
const COARSE = 3;

/**
 * Lays torn vapour between two heights. `grain`: features to a pixel across; `stretch`: how much finer it is downwards.
 * `opacityAt`: by the share of the way down (0..1) and the noise (0..1), how dense it is (0..1). `warmth`: how far it takes
 * the colour of the light near it.
 */
export function paintVapour(
  still: Still,
  form: {
    seed: number;
    top: number;
    bottom: number;
    colour: string;
    grain: number;
    stretch: number;
    octaves: number;
    warmth?: number;
    opacityAt: (down: number, noise: number) => number;
  },
): void {
  const { top, bottom, grain, stretch, octaves, opacityAt, warmth = 0 } = form;
  const [width, height] = [Math.ceil(still.width / COARSE), Math.ceil((bottom - top) / COARSE)];
  const layers = Array.from({ length: octaves }, (_, o) => planeNoise(form.seed * 31 + o * 7 + 1));
  const value = Number.parseInt(form.colour.slice(1), 16);
  const own = [value >> 16, (value >> 8) & 255, value & 255] as const;
  const light = [0xff, 0x90, 0x2c] as const;
  const pixels = new Uint8Array(width * height * 4);
  const reach = still.height * 0.62;
  for (let py = 0; py < height; py++) {
    const y = top + py * COARSE;
    for (let px = 0; px < width; px++) {
      const x = px * COARSE;
      let noise = 0;
      for (let o = 0; o < octaves; o++) {
        const k = 2 ** o * grain;
        noise += (layers[o]?.(x * k, y * k * stretch) ?? 0) / 2 ** o;
      }
      const alpha = Math.min(1, Math.max(0, opacityAt(py / height, 0.5 + noise * 0.5)));
      const near =
        warmth > 0 ? warmth * Math.max(0, 1 - Math.hypot((x - still.sun.x) / 1.5, y - still.sun.y) / reach) ** 1.5 : 0;
      const at = (py * width + px) * 4;
      for (const c of [0, 1, 2] as const) pixels[at + c] = own[c] + (light[c] - own[c]) * Math.min(1, near);
      pixels[at + 3] = alpha * 255;
    }
  }
  const uri = `data:image/png;base64,${png(pixels, width, height).toString("base64")}`;
  paint(
    still,
    `<image x="0" y="${top}" width="${width * COARSE}" height="${height * COARSE}" preserveAspectRatio="none" href="${uri}"/>`,
  );
}
