/**
 * Checks for a Luanti (Minetest) server by the first step of its handshake: an empty packet, to which it sends the client an id
 * (doc/protocol.txt of the engine). This reveals neither its players nor its name.
 */
import type { About, Adapter } from "../adapter.ts";
import { answerWithoutFigures, type GameAnswer, type QueryResult, type QueryTarget } from "../answer.ts";
import { exchangeOverUdp } from "../udp-exchange.ts";

const USUAL_PORT = 30_000;
const PROTOCOL = Buffer.from("4f457403", "hex");
const [CONTROL, ORIGINAL, RELIABLE] = [0, 1, 3] as const;
const [SET_PEER_ID, DISCONNECT] = [1, 3] as const;
/** Protocol, sender's id, channel, type. */
const HEAD_BYTES = 8;
const GIVEN_BYTES = 14;
/** Lower ids: none, and the server's. */
const LEAST_PEER_ID = 2;

const about: About = { game: "Luanti", steamAppId: null, gamePort: null, options: {} };
const hello = Buffer.concat([PROTOCOL, Buffer.of(0, 0, 0, ORIGINAL)]);

/** Polls `target`; never rejects. Returns the id at once, so that no slot is taken. `deadlineMs` covers all, 2,000 by default. */
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

/** Reads the id in a packet that assigns one; "more": another packet of this protocol. */
function readPeerId(packet: Buffer): Buffer | "more" | "malformed" {
  if (packet.length < HEAD_BYTES || !packet.subarray(0, PROTOCOL.length).equals(PROTOCOL)) return "malformed";
  // After the header: the sequence number, the kind, and the id.
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
