// From drawing to film: renders the SVG, lets the light bloom, darkens the corners, and lays the grain.
import sharp from "sharp";
import { seeded } from "./random.ts";
import { type Still, toSvg } from "./still.ts";

/** Undressed pixels: 8-bit red, green, blue. */
export type Pixels = { readonly data: Buffer; readonly width: number; readonly height: number };

/** Film's toe: how far the mid-tones sink while the highlights stay. */
const TOE = 1.16;

/** The near-black of the page, into which a slide ends. */
const GROUND = [11, 12, 15] as const;

/**
 * Renders a finished picture: bloom around what is bright, corners darkened by `vignette` (0..1).
 * With `sinksFrom` (a share of the height) the picture sinks into the page's ground from there to its foot.
 * `calm` (0..1) darkens the left, where a heading stands.
 */
export async function develop(
  still: Still,
  { vignette = 0.34, sinksFrom = 1, calm = 0 }: { vignette?: number; sinksFrom?: number; calm?: number } = {},
): Promise<Pixels> {
  const { width, height } = still;
  const data = await withBloom(Buffer.from(toSvg(still)), width, height);
  const curve = Float64Array.from({ length: 256 }, (_, v) => 255 * (v / 255) ** TOE);
  for (let y = 0; y < height; y++) {
    const t = sinksFrom < 1 ? Math.max(0, (y / height - sinksFrom) / (0.985 - sinksFrom)) : 0;
    const sunk = t >= 1 ? 1 : t * t * (3 - 2 * t);
    for (let x = 0; x < width; x++) {
      const dx = x / width - 0.5;
      const dy = y / height - 0.5;
      const corner = vignette * Math.min(1, Math.max(0, (dx * dx + dy * dy) * 2 - 0.12) * 1.15);
      const left = Math.min(1, Math.max(0, (0.62 - x / width) / 0.5));
      const dark = (1 - corner) * (1 - calm * left * left * (3 - 2 * left));
      const i = (y * width + x) * 3;
      const red = (curve[data[i] ?? 0] ?? 0) * dark;
      const green = (curve[data[i + 1] ?? 0] ?? 0) * dark;
      const blue = (curve[data[i + 2] ?? 0] ?? 0) * dark;
      // What is warm leans from amber to the orange of the house.
      const lean = 1 - (0.11 * Math.max(0, red - blue)) / 255;
      data[i] = Math.round(red + (GROUND[0] - red) * sunk);
      data[i + 1] = Math.round(green * lean + (GROUND[1] - green * lean) * sunk);
      data[i + 2] = Math.round(blue + (GROUND[2] - blue) * sunk);
    }
  }
  return { data, width, height };
}

async function withBloom(svg: Buffer, width: number, height: number): Promise<Buffer> {
  const flat = await sharp(svg, { unlimited: true })
    .flatten({ background: "#000000" })
    .toColourspace("srgb")
    .raw()
    .toBuffer();
  const raw = { raw: { width, height, channels: 3 as const } };
  const small = { width: Math.round(width / 4), height: Math.round(height / 4) };
  const light = await sharp(flat, raw)
    .resize({ ...small, fit: "fill" })
    .raw()
    .toBuffer();
  // A little of everything scatters in the air; what is bright scatters most.
  for (let i = 0; i < light.length; i++) {
    const v = light[i] ?? 0;
    light[i] = Math.min(255, Math.round(v * 0.2 + Math.max(0, v - 130) * 0.85));
  }
  const spread = await sharp(light, { raw: { ...small, channels: 3 } })
    .blur(9)
    .resize(width, height, { fit: "fill", kernel: "cubic" })
    .raw()
    .toBuffer();
  return sharp(flat, raw)
    .composite([{ input: spread, ...raw, blend: "screen" }])
    .removeAlpha()
    .raw()
    .toBuffer();
}

/** A copy at another width with fresh grain; `strength` in 8-bit steps, strongest in the mid-tones. */
export async function printAt(pixels: Pixels, width: number, strength: number): Promise<Pixels> {
  const height = Math.round((pixels.height * width) / pixels.width);
  const data = await sharp(pixels.data, { raw: { width: pixels.width, height: pixels.height, channels: 3 } })
    .resize(width, height, { fit: "fill" })
    .raw()
    .toBuffer();
  const chance = seeded(width * 7919 + height);
  for (let i = 0; i < data.length; i += 3) {
    const grain = (chance() + chance() + chance() - 1.5) * strength * 1.15;
    const light = ((data[i] ?? 0) + (data[i + 1] ?? 0) * 2 + (data[i + 2] ?? 0)) / 1020;
    const here = grain * (0.62 + 1.5 * light * (1 - light));
    for (let c = 0; c < 3; c++) data[i + c] = Math.max(0, Math.min(255, Math.round((data[i + c] ?? 0) + here)));
  }
  return { data, width, height };
}
