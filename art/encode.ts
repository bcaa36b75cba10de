// From film to files: AVIF and WebP within a budget of bytes, the average colour, and the blurred placeholder.
import sharp, { type Sharp } from "sharp";
import type { Pixels } from "./film.ts";

function open({ data, width, height }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels: 3 } });
}

/** Encodes at the best quality, from high downwards, that stays within `budget` bytes; throws when even the lowest does not. */
export async function encodeWithin(pixels: Pixels, format: "avif" | "webp", budget: number): Promise<Buffer> {
  for (let quality = format === "avif" ? 76 : 88; quality >= 22; quality -= 6) {
    const image = open(pixels);
    const bytes = await (format === "avif"
      ? image.avif({ quality, effort: 4 })
      : image.webp({ quality, effort: 5, smartSubsample: true })
    ).toBuffer();
    if (bytes.length <= budget) return bytes;
  }
  throw new Error(`${pixels.width} px ${format} does not fit ${budget} bytes`);
}

/** The average colour as `#rrggbb`. */
export async function averageColour(pixels: Pixels): Promise<string> {
  const { channels } = await open(pixels).stats();
  return `#${channels
    .slice(0, 3)
    .map(({ mean }) => Math.round(mean).toString(16).padStart(2, "0"))
    .join("")}`;
}

/** A WebP of 16 px across as a data URI, at most 300 bytes long: shown blurred until the picture is there. */
export async function tinyPlaceholder(pixels: Pixels): Promise<string> {
  for (let quality = 60; quality > 0; quality -= 10) {
    const bytes = await open(pixels).resize(16).blur(0.6).webp({ quality, effort: 6 }).toBuffer();
    const uri = `data:image/webp;base64,${bytes.toString("base64")}`;
    if (uri.length <= 300) return uri;
  }
  throw new Error("The placeholder does not fit 300 bytes");
}
