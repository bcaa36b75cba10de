// Decodes pictures that people send: of five formats, one frame, within limits of bytes, pixels, time and number, so that no
// file can take more of the machine than that.
import { availableParallelism } from "node:os";
import type { Sharp } from "sharp";
import { isPolyglot, readImageFile } from "./image-file.ts";

export const IMAGE_MAX_BYTES = 5 * 1024 * 1024;
const IMAGE_MAX_PIXELS = 24_000_000;
const AT_ONCE = 2;
const MAX_WAITING = 16;

/** Why a file was refused, for the page to put into a text. */
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
 * Checks a file and hands it to `make`, two at a time. `make` gets a function that opens the file anew for each output, and
 * the size as stored; it sets a time limit on each output itself.
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
    // The format's own count, for what the file's head did not say.
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

/** The library says in words alone why it gave up. */
function failureOf(error: unknown): ImageRefusal {
  const message = error instanceof Error ? error.message : "";
  if (/pixel limit/i.test(message)) return "too-many-pixels";
  return /timeout/i.test(message) ? "too-slow" : "broken";
}

let opening: Promise<(bytes: Buffer) => Sharp> | undefined;

/**
 * Loads the image library at the first picture, with every reader shut but those of the five formats. They are shut for the
 * whole process: SVG stays, with which the pictures of shared links are drawn (web/embeds/open-graph-picture.ts).
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
