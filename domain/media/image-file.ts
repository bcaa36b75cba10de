// Inspects a picture file without decoding it: its format by content, and whether it is animated.

export type ImageFile = {
  format: "jpeg" | "png" | "webp" | "gif" | "avif";
  /** It declares more than one frame. */
  moves: boolean;
};

/**
 * Detects the format by the first bytes, never by name; null for anything but the five (SVG and HTML included). Reads no further
 * than necessary: a file of ten thousand frames costs as little as one of two.
 */
export function readImageFile(bytes: Buffer): ImageFile | null {
  const at = (offset: number, length: number) => bytes.toString("latin1", offset, offset + length);
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return { format: "jpeg", moves: false };
  if (at(0, 8) === "\x89PNG\r\n\x1a\n") return { format: "png", moves: pngMoves(bytes) };
  if (at(0, 4) === "RIFF" && at(8, 4) === "WEBP") {
    // In the extended header, bit 1 of the flags marks an animation (RFC 9649, 2.7.1).
    return { format: "webp", moves: at(12, 4) === "VP8X" && ((bytes[20] ?? 0) & 0x02) !== 0 };
  }
  if (/^GIF8[79]a$/.test(at(0, 6))) return { format: "gif", moves: gifMoves(bytes) };
  if (at(4, 4) === "ftyp") {
    const brands = at(8, Math.min(bytes.length, Math.max(16, bytes.readUInt32BE(0)), 256) - 8);
    if (/avis/.test(brands)) return { format: "avif", moves: true };
    if (/avif/.test(brands)) return { format: "avif", moves: false };
  }
  return null;
}

/** APNG: a chunk acTL before the picture's data. */
function pngMoves(bytes: Buffer): boolean {
  for (let offset = 8; offset + 8 <= bytes.length; ) {
    const type = bytes.toString("latin1", offset + 4, offset + 8);
    if (type === "acTL") return true;
    if (type === "IDAT" || type === "IEND") return false;
    offset += 12 + bytes.readUInt32BE(offset);
  }
  return false;
}

/** GIF89a: is there a second picture? */
function gifMoves(bytes: Buffer): boolean {
  let offset = 13 + colourTable(bytes[10]);
  let pictures = 0;
  while (offset < bytes.length) {
    const block = bytes[offset];
    if (block === 0x2c) {
      pictures += 1;
      if (pictures > 1) return true;
      offset = afterBlocks(bytes, offset + 11 + colourTable(bytes[offset + 9]));
    } else if (block === 0x21) {
      offset = afterBlocks(bytes, offset + 2);
    } else return false;
  }
  return false;
}

/** Bytes of the colour table in a packed field. */
const colourTable = (packed = 0) => ((packed & 0x80) !== 0 ? 3 * 2 ** ((packed & 0x07) + 1) : 0);

/** Skips a chain of sub-blocks, each prefixed by its length. */
function afterBlocks(bytes: Buffer, start: number): number {
  let offset = start;
  for (let length = bytes[offset] ?? 0; length !== 0; length = bytes[offset] ?? 0) offset += 1 + length;
  return offset + 1;
}

/**
 * Text that no picture needs and that a browser or server could take for a page, program or document. None is shorter than five
 * characters: shorter ones occur by chance in compressed pixels of ordinary photos.
 */
const OTHER_TONGUES = /<script|<html|<!doctype|<svg[\s/>]|<iframe|<\?php|javascript:|%PDF-1/i;

/** True if a picture file is also something else: a program or page in its comments, or after its end. */
export function isPolyglot(bytes: Buffer): boolean {
  if (OTHER_TONGUES.test(bytes.toString("latin1"))) return true;
  // A GIF whose width reads as the start of a JavaScript comment.
  return bytes.toString("latin1", 0, 4) === "GIF8" && bytes.toString("latin1", 6, 8) === "/*";
}
