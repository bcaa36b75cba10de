/** Mock Luanti server, limited to the first step of its handshake: gives peer ids and takes them back. */
import { listenOverUdp, type UdpListener } from "./udp-listener.ts";

const PROTOCOL = Buffer.from("4f457403", "hex");
const SERVER = 1;
const FIRST_PEER = 2;

/** Starts a server on `host` (127.0.0.1) and `port` (any free one); `taken` are the ids given out and not returned. */
export async function startLuantiServer(options: {
  host?: string;
  port?: number;
}): Promise<UdpListener & { taken: ReadonlySet<number> }> {
  const numbers = new Map<string, number>();
  const taken = new Set<number>();
  let next = FIRST_PEER;
  const listener = await listenOverUdp(options, (question, from) => {
    if (question.length < 8 || !question.subarray(0, 4).equals(PROTOCOL)) return null;
    const sender = question.readUInt16BE(4);
    const isGoodbye = question[7] === 0 && question[8] === 3;
    if (isGoodbye) taken.delete(sender);
    if (sender !== 0 || isGoodbye) return null;
    // A repeated request gets the same id.
    const who = `${from.address}:${from.port}`;
    const number = numbers.get(who) ?? next++;
    numbers.set(who, number);
    taken.add(number);
    const reply = Buffer.concat([PROTOCOL, Buffer.of(0, SERVER, 0, 3, 0xff, 0xdc, 0, 1, 0, 0)]);
    reply.writeUInt16BE(number, 12);
    return reply;
  });
  return { ...listener, taken };
}
