/** Joins a Teeworlds server as a person does: the connection of 0.7 over UDP, which DDNet speaks as well. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { Guest } from "./games.ts";

/** A packet's head: flags and what was heard last (of ten bits), the number of messages, and whose token it bears. */
const HEAD = 7;
const CONTROL = 1 << 2;
const NO_TOKEN = Buffer.from("ffffffff", "hex");
const OURS = Buffer.from("0a0b0c0d", "hex");
/** What a stranger asks first is as long as any answer, so that nobody is flooded in another's name. */
const OPENING = 512;
const KEEP_ALIVE = 0;
const CONNECT = 1;
const ACCEPT = 2;
const CLOSE = 4;
const TOKEN = 5;
const KEEP_ALIVE_MS = 500;

const control = (token: Buffer, what: number, body: Buffer = Buffer.alloc(0), length = 0): Buffer => {
  const packet = Buffer.concat([Buffer.from([CONTROL, 0, 0]), token, Buffer.from([what]), body]);
  return Buffer.concat([packet, Buffer.alloc(Math.max(0, HEAD + length - packet.length))]);
};

const VERSION = "0.7 802f1be60a05665f";
const CLIENT = 0x0705;
const PARTS_OF_A_SKIN = 6;

/** A number in bytes of seven bits, the first with six and a sign. */
function packed(value: number): Buffer {
  let rest = value < 0 ? ~value : value;
  const bytes = [(value < 0 ? 0x40 : 0) | (rest & 0x3f)];
  for (rest >>>= 6; rest > 0; rest >>>= 7) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 0x80;
    bytes.push(rest & 0x7f);
  }
  return Buffer.from(bytes);
}
const text = (value: string): Buffer => Buffer.from(`${value}\0`);
const times = (part: Buffer): Buffer[] => Array.from({ length: PARTS_OF_A_SKIN }, () => part);

/** What somebody says on the way in, in turn: who they are, that they have the map, how they look, and that they enter. */
const ENTERING: readonly Buffer[] = [
  Buffer.concat([packed((1 << 1) | 1), text(VERSION), text(""), packed(CLIENT)]),
  packed((18 << 1) | 1),
  Buffer.concat([
    packed(27 << 1),
    text("Ada"),
    text(""),
    packed(-1),
    ...times(text("standard")),
    ...times(packed(0)),
    ...times(packed(0)),
  ]),
  packed((19 << 1) | 1),
];

/** One message that has to arrive; `place` is which of them, from 1. */
function message(token: Buffer, place: number, body: Buffer): Buffer {
  const head = Buffer.from([0x40 | (body.length >> 6), (body.length & 0x3f) | ((place >> 2) & 0xc0), place & 0xff]);
  return Buffer.concat([Buffer.from([0, 0, 1]), token, head, body]);
}

/** Comes in, and says it all; rejects when the server refuses, or after 5 s. */
export async function joinTeeworlds(port: number): Promise<Guest> {
  const socket = createSocket("udp4");
  // It may be killed before this leaves.
  socket.on("error", () => {});
  socket.connect(port, "127.0.0.1");
  await once(socket, "connect");
  const signal = AbortSignal.timeout(5000);

  const hear = async (what: number): Promise<Buffer> => {
    for (;;) {
      const [packet] = (await once(socket, "message", { signal })) as [Buffer];
      if (packet[0] !== undefined && (packet[0] & CONTROL) === 0) continue;
      if (packet[HEAD] === CLOSE) throw new Error(`It refuses: ${packet.toString("latin1", HEAD + 1)}`);
      if (packet[HEAD] === what) return packet.subarray(HEAD + 1);
    }
  };
  const told = hear(TOKEN);
  socket.send(control(NO_TOKEN, TOKEN, OURS, OPENING));
  const theirs = Buffer.from((await told).subarray(0, 4));
  const accepted = hear(ACCEPT);
  socket.send(control(theirs, CONNECT, OURS, OPENING));
  await accepted;
  for (const [place, body] of ENTERING.entries()) {
    socket.send(message(theirs, place + 1, body));
    // Each is answered before the next counts; what is said is packed, and not read here.
    await once(socket, "message", { signal });
    await pause(50);
  }
  const alive = setInterval(() => socket.send(control(theirs, KEEP_ALIVE)), KEEP_ALIVE_MS);
  return {
    async leave() {
      clearInterval(alive);
      socket.send(control(theirs, CLOSE));
      await new Promise((resolve) => socket.send(control(theirs, CLOSE), resolve));
      socket.close();
    },
  };
}
