/** Joins a Minecraft server of the Bedrock Edition as far as it counts people: RakNet's connection (https://minecraft.wiki/w/RakNet). */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { Guest } from "./games.ts";

const MAGIC = Buffer.from("00ffff00fefefefefdfdfdfd12345678", "hex");
const RAKNET = 11;
const MTU = 1400;
const OURS = Buffer.from("0a0b0c0d0e0f1011", "hex");
/** IPv4 127.0.0.1, whose bits RakNet turns around. */
const HERE = Buffer.from([4, 0x80, 0xff, 0xff, 0xfe, 0, 0]);
const SYSTEM_ADDRESSES = 20;
const WITHIN_MS = 5000;
const ALIVE_MS = 500;

const PING = 0x00;
const REQUEST_1 = 0x05;
const REPLY_1 = 0x06;
const REQUEST_2 = 0x07;
const REPLY_2 = 0x08;
const CONNECT = 0x09;
const ACCEPTED = 0x10;
const CONNECTED = 0x13;
const LEAVE = 0x15;
/** Datagrams of a connection, and what says that one arrived. */
const FRAMES = 0x84;
const IS_FRAMES = 0x80;
const ARRIVED = 0xc0;
const KINDS = 0xe0;
/** How much is promised of a frame: that it arrives, in its turn. */
const RELIABLE_ORDERED = 3 << 5;
const RELIABILITY_HEADS = [0, 4 + 3, 3, 3 + 4, 3 + 3 + 4];

const triad = (value: number): Buffer => Buffer.from([value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff]);
const short = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
const nothing = (length: number): Buffer => Buffer.alloc(length);
const packet = (id: number, ...parts: Buffer[]): Buffer => Buffer.concat([Buffer.from([id]), ...parts]);

const isOfConnection = (datagram: Buffer): boolean => ((datagram[0] ?? 0) & KINDS) === IS_FRAMES;

/** What the first frame of a datagram holds; its head is as long as its reliability asks for. */
function firstContent(datagram: Buffer): Buffer {
  const head = 4 + 3 + (RELIABILITY_HEADS[(datagram[4] ?? 0) >> 5] ?? 0);
  return datagram.subarray(head, head + datagram.readUInt16BE(5) / 8);
}

/** Connects, and stays until it leaves; rejects when it is not let in within 5 s. */
export async function joinBedrock(port: number): Promise<Guest> {
  const socket = createSocket("udp4");
  // It may be killed before this leaves.
  socket.on("error", () => {});
  socket.connect(port, "127.0.0.1");
  await once(socket, "connect");
  const signal = AbortSignal.timeout(WITHIN_MS);
  const ask = async (request: Buffer, answer: (heard: Buffer) => boolean): Promise<void> => {
    socket.send(request);
    for (;;) {
      const [heard] = (await once(socket, "message", { signal })) as [Buffer];
      if (answer(heard)) return;
    }
  };
  let sent = 0;
  const frame = (content: Buffer): Buffer => {
    const number = triad(sent);
    sent += 1;
    const size = short(content.length * 8);
    return packet(FRAMES, number, Buffer.from([RELIABLE_ORDERED]), size, number, number, nothing(1), content);
  };
  socket.on("message", (heard: Buffer) => {
    if (isOfConnection(heard)) socket.send(packet(ARRIVED, short(1), Buffer.from([1]), heard.subarray(1, 4)));
  });

  const opening = packet(REQUEST_1, MAGIC, Buffer.from([RAKNET]));
  await ask(Buffer.concat([opening, nothing(MTU - opening.length)]), ([id]) => id === REPLY_1);
  await ask(packet(REQUEST_2, MAGIC, HERE, short(MTU), OURS), ([id]) => id === REPLY_2);
  const accepts = (heard: Buffer) => isOfConnection(heard) && firstContent(heard)[0] === ACCEPTED;
  await ask(frame(packet(CONNECT, OURS, nothing(8), nothing(1))), accepts);
  const addresses = Array.from({ length: 1 + SYSTEM_ADDRESSES }, () => HERE);
  socket.send(frame(packet(CONNECTED, ...addresses, nothing(8 + 8))));
  const alive = setInterval(() => socket.send(frame(packet(PING, nothing(8)))), ALIVE_MS);
  return {
    async leave() {
      clearInterval(alive);
      await new Promise((resolve) => socket.send(frame(packet(LEAVE)), resolve));
      socket.close();
    },
  };
}
