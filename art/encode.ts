// From film to files: AVIF and WebP within a budget of bytes, the average colour, and the blurred placeholder.
import sharp, { type Sharp } from "sharp";
import type { Pixels } from "./film.ts";

function open({ data, width, height }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels: 3 } });
}

/** Where the search for a quality begins, and how hard the encoder tries: painted once, or drawn while people wait. */
const CARE = {
  painted: { avif: { from: 76, effort: 4 }, webp: { from: 88, effort: 5 } },
  quick: { avif: { from: 58, effort: 2 }, webp: { from: 80, effort: 3 } },
} as const;

/** Encodes at the best quality, from high downwards, that stays within `budget` bytes; throws when even the lowest does not. */
export async function encodeWithin(
  pixels: Pixels,
  format: "avif" | "webp",
  budget: number,
  care: keyof typeof CARE = "painted",
): Promise<Buffer> {
  const { from, effort } = CARE[care][format];
  for (let quality: number = from; quality >= 16; quality -= 6) {
    const image = open(pixels);
    const bytes = await (format === "avif"
      ? image.avif({ quality, effort })
      : image.webp({ quality, effort, smartSubsample: true })
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
