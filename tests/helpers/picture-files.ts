/** Picture files for tests, good ones and hostile ones, all made here. */
import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";

const plain = (width: number, height: number, colour = "#ff8000") =>
  sharp({ create: { width, height, channels: 3, background: colour } });

/** One good file of each format that is taken. */
export const goodPictures = async (width = 900, height = 600) => ({
  jpeg: await plain(width, height).jpeg().toBuffer(),
  png: await plain(width, height).png().toBuffer(),
  webp: await plain(width, height).webp().toBuffer(),
  gif: await plain(width, height).gif().toBuffer(),
  avif: await plain(width, height).avif({ effort: 0 }).toBuffer(),
});

/** A photo with a place, a camera, a comment's worth of words in its metadata, and turned by 90 degrees. */
export const photoWithMetadata = () =>
  plain(800, 400)
    .withExif({ IFD0: { Make: "SecretCamera", Copyright: "Jane Doe" }, IFD3: { GPSLatitudeRef: "N" } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();

const chunk = (type: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
};
const u32 = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => {
    bytes.writeUInt32BE(value, index * 4);
  });
  return bytes;
};
const PNG = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
const header = (width: number, height: number) =>
  chunk("IHDR", Buffer.concat([u32(width, height), Buffer.from([8, 2, 0, 0, 0])]));

/** A real PNG of this size, of zeros: small in the file, large in memory. */
export function zeroPng(width: number, height: number): Buffer {
  const rows = deflateSync(Buffer.alloc((width * 3 + 1) * Math.min(height, 64)), { level: 9 });
  return Buffer.concat([PNG, header(width, height), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))]);
}

/** A small PNG with a compressed text of half a gigabyte in it. */
export function textBombPng(): Buffer {
  const bomb = deflateSync(Buffer.alloc(512 * 1024 * 1024), { level: 1 });
  const text = Buffer.concat([Buffer.from("Comment\0\0", "latin1"), bomb]);
  const row = deflateSync(Buffer.alloc(4));
  return Buffer.concat([PNG, header(1, 1), chunk("zTXt", text), chunk("IDAT", row), chunk("IEND", Buffer.alloc(0))]);
}

/** An animated PNG of one pixel. */
export function movingPng(frames: number): Buffer {
  const control = (sequence: number) =>
    chunk("fcTL", Buffer.concat([u32(sequence, 1, 1, 0, 0), Buffer.from([0, 1, 0, 10, 0, 0])]));
  const row = deflateSync(Buffer.alloc(4));
  const parts = [PNG, header(1, 1), chunk("acTL", u32(frames, 0)), control(0), chunk("IDAT", row)];
  for (let frame = 1; frame < frames; frame += 1) {
    parts.push(control(frame * 2 - 1), chunk("fdAT", Buffer.concat([u32(frame * 2), row])));
  }
  return Buffer.concat([...parts, chunk("IEND", Buffer.alloc(0))]);
}

/** A GIF of one pixel a frame; `comment` stands in a block before the pictures, `tail` behind the end. */
export function gif(frames: number, { comment = "", tail = "" } = {}): Buffer {
  const head = Buffer.from([...Buffer.from("GIF89a"), 1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]);
  const commentBlock = comment
    ? Buffer.concat([Buffer.from([0x21, 0xfe, comment.length]), Buffer.from(comment), Buffer.of(0)])
    : Buffer.alloc(0);
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]);
  return Buffer.concat([head, commentBlock, ...Array<Buffer>(frames).fill(frame), Buffer.of(0x3b), Buffer.from(tail)]);
}

/** The oldest of them: a GIF for the browser that looks at its beginning, a program for the one that runs it. */
export const gifAndScript = () => {
  const bytes = gif(1, { tail: "*/=1;alert(document.domain)" });
  bytes.write("/*", 6, "latin1");
  return bytes;
};

/** A WebP whose pages are really there. */
export async function movingWebp(frames: number): Promise<Buffer> {
  const pixels = Buffer.alloc(frames * 3);
  for (let frame = 0; frame < frames; frame += 1) pixels[frame * 3] = frame % 256;
  return sharp(pixels, { raw: { width: 1, height: frames, channels: 3, pageHeight: 1 } })
    .webp({ loop: 0, effort: 0, lossless: true })
    .toBuffer();
}
