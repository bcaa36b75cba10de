// Icons of game servers: decodes untrusted files and encodes them again, so that nothing of the file is passed on.
import { createHash } from "node:crypto";
import { decodeImage } from "./image-decoder.ts";

/** Height and width in px. */
const ICON_SIZE = 64;
export const ICON_TYPE = "image/webp";
const LIMIT_S = 5;
/** Any picture of that size is smaller than this. */
const MOST_BYTES = 40_000;

/** `id` is a hash of the content. */
export type MadeIcon = { base64: string; id: string };

/** Creates an icon from a reported file; null if it isn't a picture of that size. Never rejects. */
export async function makeIcon(file: Buffer): Promise<MadeIcon | null> {
  const made = await decodeImage(file, async (open, { width, height }) => {
    if (width !== ICON_SIZE || height !== ICON_SIZE) return null;
    return open().timeout({ seconds: LIMIT_S }).webp({ lossless: true }).toBuffer();
  });
  if (!Buffer.isBuffer(made) || made.length > MOST_BYTES) return null;
  return { base64: made.toString("base64"), id: iconIdOf(made) };
}

const iconIdOf = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex").slice(0, 20);
