// Draws the icon of a mock Minecraft server: blocks under a low sun, sixteen points by sixteen, as a PNG of 64 × 64.
import { crc32, deflateSync } from "node:zlib";

const POINTS = 16;
const SCALE = 4;
const SIZE = POINTS * SCALE;

type Colour = readonly [red: number, green: number, blue: number];

/** Height of the ground in each column. */
const HILLS = [5, 5, 6, 6, 4, 4, 3, 3, 4, 5, 7, 7, 8, 6, 6, 5];
const ISLE = [0, 0, 0, 3, 4, 5, 6, 6, 6, 5, 5, 4, 3, 0, 0, 0];

const SUN: Colour = [255, 158, 51];
const SKY: readonly Colour[] = [
  [24, 20, 34],
  [52, 34, 48],
  [104, 58, 54],
  [168, 92, 56],
];

export function drawMinecraftIcon(shows: "hills" | "island"): Buffer {
  const raw = Buffer.alloc(SIZE * (1 + SIZE * 3));
  for (let y = 0; y < SIZE; y++) {
    for (let x = 0; x < SIZE; x++) {
      const colour = pointAt(Math.floor(x / SCALE), Math.floor(y / SCALE), shows === "island");
      raw.set(colour, y * (1 + SIZE * 3) + 1 + x * 3);
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(SIZE, 0);
  head.writeUInt32BE(SIZE, 4);
  // Eight bits per colour, three colours per point.
  head.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(raw)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function pointAt(x: number, y: number, floating: boolean): Colour {
  const ground = floating ? islandAt(x, y) : hillAt(x, y);
  if (ground) return ground;
  if ((x - 11) ** 2 + (y - 6) ** 2 < 6) return SUN;
  return SKY[Math.min(Math.floor(y / 3), SKY.length - 1)] ?? SUN;
}

function hillAt(x: number, y: number): Colour | null {
  const depth = y - (POINTS - (HILLS[x] ?? 0));
  if (depth < 0) return null;
  return depth === 0 ? [110, 140, 58] : depth < 3 ? [92, 62, 40] : [48, 42, 44];
}

function islandAt(x: number, y: number): Colour | null {
  const depth = y - 9;
  if (depth < 0 || depth >= (ISLE[x] ?? 0)) return x === 7 && y > 4 && y < 9 ? [70, 48, 32] : null;
  return depth === 0 ? [110, 140, 58] : depth < 3 ? [92, 62, 40] : [60, 52, 52];
}

function chunk(type: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), body]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(body.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}
