/** Mock Factorio server: answers pings and game information requests, over UDP on the port that players type. */
import { listenOverUdp, type UdpListener } from "./udp-listener.ts";

/** Facts that the server reports; `version` is three numbers with dots between. */
export type FactorioInfo = {
  name: string;
  description?: string;
  version: string;
  players: string[];
  mods?: string[];
  tags?: string[];
};

const [PING, PING_REPLY, INFO_REQUEST, INFO_REPLY] = [0, 1, 16, 17] as const;
const TYPE_BITS = 0x1f;
const FRAGMENTED = 0x40;
const LAST = 0x80;
/** Part of a message that fits in a packet. */
const PART_BYTES = 503;

/** Starts a server on `host` (127.0.0.1) and `port` (any free one); `info` is called for each query. */
export function startFactorioServer(options: {
  host?: string;
  port?: number;
  info: () => FactorioInfo;
}): Promise<UdpListener> {
  return listenOverUdp(options, (question) => {
    const type = (question[0] ?? PING) & TYPE_BITS;
    if (type === PING && question.length === 3) return Buffer.concat([Buffer.of(PING_REPLY), question.subarray(1)]);
    return type === INFO_REQUEST ? inParts(encodeInfo(options.info())) : null;
  });
}

function inParts(message: Buffer): Buffer[] {
  if (message.length <= PART_BYTES) return [Buffer.concat([Buffer.of(INFO_REPLY), message])];
  const count = Math.ceil(message.length / PART_BYTES);
  return Array.from({ length: count }, (_, place) => {
    const type = INFO_REPLY | FRAGMENTED | (place === count - 1 ? LAST : 0);
    const part = message.subarray(place * PART_BYTES, (place + 1) * PART_BYTES);
    return Buffer.concat([Buffer.of(type, 2, 0, place), part]);
  });
}

function encodeInfo({ name, description = "", version, players, mods = ["base"], tags = [] }: FactorioInfo): Buffer {
  const numbers = Buffer.from(version.split(".").map(Number));
  const build = Buffer.alloc(4);
  build.writeUInt32LE(84_292);
  return Buffer.concat([
    Buffer.alloc(12),
    text(name),
    numbers,
    build,
    text(description),
    Buffer.alloc(8),
    text("203.0.113.9:34197"),
    Buffer.of(1, 0, 1),
    number(mods.length),
    ...mods.map((mod) => Buffer.concat([text(mod), numbers, Buffer.alloc(4)])),
    ...[tags, players].flatMap((list) => [number(list.length), ...list.map(text)]),
    Buffer.of(1),
  ]);
}

/** One byte, or FF and four. */
function number(value: number): Buffer {
  if (value < 0xff) return Buffer.of(value);
  const long = Buffer.alloc(5, 0xff);
  long.writeUInt32LE(value, 1);
  return long;
}

const text = (value: string): Buffer => Buffer.concat([number(Buffer.byteLength(value)), Buffer.from(value)]);
