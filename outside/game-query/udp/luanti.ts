/**
 * Asks whether a Luanti (Minetest) server is there, by the first step of its own handshake: a packet with nothing in it, to which
 * it gives a number to whoever sent it (doc/protocol.txt of the engine). Who is on and what it is called it tells nobody that way.
 */
import type { About, Adapter } from "../adapter.ts";
import { answerWithoutFigures, type GameAnswer, type QueryResult, type QueryTarget } from "../answer.ts";
import { exchangeOverUdp } from "../udp-exchange.ts";

const USUAL_PORT = 30_000;
const PROTOCOL = Buffer.from("4f457403", "hex");
const [CONTROL, ORIGINAL, RELIABLE] = [0, 1, 3] as const;
const [SET_PEER_ID, DISCONNECT] = [1, 3] as const;
/** Protocol, sender's number, channel, type. */
const HEAD_BYTES = 8;
const GIVEN_BYTES = 14;
/** Nobody's, and the server's own. */
const LEAST_PEER_ID = 2;

const about: About = { game: "Luanti", steamAppId: null, gamePort: null, options: {} };
const hello = Buffer.concat([PROTOCOL, Buffer.of(0, 0, 0, ORIGINAL)]);

/**
 * Asks `target`; never rejects. The number that it gives is given back at once, so that no place stays taken. `deadlineMs`
 * covers everything, 2,000 by default.
 */
export async function queryLuanti(
  target: QueryTarget,
  { deadlineMs = 2000, onAbout }: { deadlineMs?: number; onAbout?: ((about: About) => void) | undefined } = {},
): Promise<QueryResult> {
  let given: Buffer | null = null;
  const result = await exchangeOverUdp(target, {
    request: hello,
    onPacket(packet): GameAnswer | "more" | "malformed" {
      const read = readPeerId(packet);
      if (typeof read === "string") return read;
      given = read;
      return answerWithoutFigures;
    },
    farewell: () => given && Buffer.concat([PROTOCOL, given, Buffer.of(0, CONTROL, DISCONNECT)]),
    deadlineMs,
  });
  if (result.ok) onAbout?.(about);
  return result;
}

/** The number in a packet that gives one; "more": another packet of this protocol. */
function readPeerId(packet: Buffer): Buffer | "more" | "malformed" {
  if (packet.length < HEAD_BYTES || !packet.subarray(0, PROTOCOL.length).equals(PROTOCOL)) return "malformed";
  // Behind the head: the place in order, the kind, and the number.
  const isGiven = packet[7] === RELIABLE && packet[10] === CONTROL && packet[11] === SET_PEER_ID;
  if (!isGiven) return "more";
  if (packet.length !== GIVEN_BYTES || packet.readUInt16BE(12) < LEAST_PEER_ID) return "malformed";
  return packet.subarray(12, GIVEN_BYTES);
}

export const luanti: Adapter = {
  query: ({ address, port, deadlineMs, onAbout }) => queryLuanti({ address, port }, { deadlineMs, onAbout }),
  deadlineMs: 2000,
  transport: "udp",
  tries: (port) => [{ port: port ?? USUAL_PORT }],
  game: () => "Luanti",
  certainty: () => 30,
  replies: null,
  notes: {
    title: "Luanti, once Minetest (handshake)",
    how: "Starts the game's handshake and leaves.",
    traps: ["No name or version. A heartbeat can add players."],
    open: "the game's port.",
  },
};
