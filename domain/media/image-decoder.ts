// Decodes uploaded pictures: five formats, one frame, within limits of bytes, pixels, time and concurrency, which bound what a file
// can cost.
import { availableParallelism } from "node:os";
import type { Sharp } from "sharp";
import { isPolyglot, readImageFile } from "./image-file.ts";

export const IMAGE_MAX_BYTES = 5 * 1024 * 1024;
const IMAGE_MAX_PIXELS = 24_000_000;
const AT_ONCE = 2;
const MAX_WAITING = 16;

/** Why a file was refused; the page turns it into a message. */
export type ImageRefusal =
  | "empty"
  | "too-heavy"
  | "no-image"
  | "too-many-pixels"
  | "moving"
  | "polyglot"
  | "broken"
  | "too-slow"
  | "busy";

type Refused = { ok: false; reason: ImageRefusal };

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Checks a file and passes it to `make`, two at a time. `make` gets a function that opens the file again for each output, and the
 * stored size; it sets its own time limit on each output.
 */
export async function decodeImage<Made>(
  bytes: Buffer,
  make: (open: () => Sharp, size: { width: number; height: number }) => Promise<Made>,
): Promise<Made | Refused> {
  if (bytes.length === 0) return { ok: false, reason: "empty" };
  if (bytes.length > IMAGE_MAX_BYTES) return { ok: false, reason: "too-heavy" };
  const file = readImageFile(bytes);
  if (!file) return { ok: false, reason: "no-image" };
  if (file.moves) return { ok: false, reason: "moving" };
  if (isPolyglot(bytes)) return { ok: false, reason: "polyglot" };
  if (running >= AT_ONCE) {
    if (waiting.length >= MAX_WAITING) return { ok: false, reason: "busy" };
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running += 1;
  try {
    const open = await opener();
    const size = await open(bytes).metadata();
    if (size.format === "svg") return { ok: false, reason: "no-image" };
    // The decoder's own count, for what the file header didn't say.
    if ((size.pages ?? 1) > 1) return { ok: false, reason: "moving" };
    if (size.width * size.height > IMAGE_MAX_PIXELS) return { ok: false, reason: "too-many-pixels" };
    return await make(() => open(bytes), size);
  } catch (error) {
    return { ok: false, reason: failureOf(error) };
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** The library gives its reason only as text. */
function failureOf(error: unknown): ImageRefusal {
  const message = error instanceof Error ? error.message : "";
  if (/pixel limit/i.test(message)) return "too-many-pixels";
  return /timeout/i.test(message) ? "too-slow" : "broken";
}

let opening: Promise<(bytes: Buffer) => Sharp> | undefined;

/**
 * Loads the image library on first use and disables all readers but the five formats. This applies to the whole process; SVG stays
 * enabled, since it draws the pictures of shared links (web/embeds/open-graph-picture.ts).
 */
function opener(): Promise<(bytes: Buffer) => Sharp> {
  opening ??= import("sharp").then(({ default: sharp }) => {
    sharp.cache(false);
    sharp.concurrency(Math.min(2, availableParallelism()));
    sharp.block({ operation: ["VipsForeignLoad"] });
    sharp.unblock({
      operation: ["Jpeg", "Png", "Webp", "Nsgif", "Heif", "Svg"].map((reader) => `VipsForeignLoad${reader}Buffer`),
    });
    return (bytes) =>
      sharp(bytes, { failOn: "error", limitInputPixels: IMAGE_MAX_PIXELS, sequentialRead: true, pages: 1 });
  });
  return opening;
}
