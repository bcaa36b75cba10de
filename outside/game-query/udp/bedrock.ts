/** Polls Minecraft servers of the Bedrock Edition by RakNet's unconnected ping: one packet each way. */
import { randomBytes } from "node:crypto";
import type { Adapter } from "../adapter.ts";
import {
  answerWithoutFigures,
  cleanCountText,
  cleanText,
  type GameAnswer,
  type QueryResult,
  type QueryTarget,
} from "../answer.ts";
import { bytes, readAs } from "../reply-reader.ts";
import { exchangeOverUdp } from "../udp-exchange.ts";

/** https://minecraft.wiki/w/RakNet: marks RakNet's packets outside of a connection. */
const magic = Buffer.from("00ffff00fefefefefdfdfdfd12345678", "hex");
const unconnectedPing = 0x01;
const unconnectedPong = 0x1c;
/** Message, time, the server's number, magic, the length of the text. */
const textAt = 1 + 8 + 8 + 16 + 2;
const longestText = 2048;

/**
 * Polls `target`; never rejects. Does not compare the returned time: some servers send another, and the socket is
 * connected to the polled one. `deadlineMs` covers everything, 2,000 by default.
 */
export function queryBedrock(
  target: QueryTarget,
  { deadlineMs = 2000 }: { deadlineMs?: number } = {},
): Promise<QueryResult> {
  const random = randomBytes(16);
  const [time, client] = [random.subarray(0, 8), random.subarray(8)];
  const request = Buffer.concat([Buffer.from([unconnectedPing]), time, magic, client]);
  return exchangeOverUdp(target, { request, onPacket: (packet) => readPong(packet) ?? "malformed", deadlineMs });
}

/** Reads an unconnected pong of a Minecraft server; null for anything else. */
export function readPong(packet: Buffer): GameAnswer | null {
  if (packet.length < textAt || packet[0] !== unconnectedPong || !packet.subarray(17, 33).equals(magic)) return null;
  const length = packet.readUInt16BE(33);
  if (length > longestText || packet.length < textAt + length) return null;
  const [edition, ...rest] = fieldsOf(packet.toString("utf8", textAt, textAt + length));
  const behindName = placeBehindName(rest);
  const [, version, players, maxPlayers, , level] = rest.slice(behindName);
  // Other games use RakNet as well. Minecraft sends MCPE, and MCEE for its education edition.
  if (!edition?.startsWith("MC") || maxPlayers === undefined) return null;
  return {
    ...answerWithoutFigures,
    players: cleanCountText(players),
    maxPlayers: cleanCountText(maxPlayers),
    version: cleanText(version),
    name: cleanText(rest.slice(0, behindName).join(";")),
    map: cleanText(level),
  };
}

/** Splits the fields at semicolons; one that is part of a name has a backslash before it. */
function fieldsOf(text: string): string[] {
  return text.split(/(?<!\\);/).map((field) => field.replaceAll("\\;", ";"));
}

/**
 * Finds the end of the name: some server programs omit the backslash, and a name with a semicolon takes more than one
 * field. After it come the protocol's number, the version, and two figures.
 */
function placeBehindName(fields: readonly string[]): number {
  const isNumber = (at: number): boolean => /^-?\d{1,9}$/.test(fields[at] ?? "");
  const place = fields.findIndex((_, at) => at > 0 && isNumber(at) && isNumber(at + 2) && isNumber(at + 3));
  return place === -1 ? 1 : place;
}

export const bedrock: Adapter = {
  query: ({ address, port, deadlineMs }) => queryBedrock({ address, port }, { deadlineMs }),
  deadlineMs: 2000,
  transport: "udp",
  tries: (port) => [{ port: port ?? 19_132 }],
  game: () => "Minecraft: Bedrock Edition",
  certainty: () => 30,
  replies: {
    golden: [
      "MCPE;Dedicated\\; Server;766;1.21.50;3;10;13253860892328930865;Level;Survival;1;19132;19133;0;",
      "MCEE;Old; and more;81;0.15;7;20",
    ].map((text) =>
      bytes(
        `\x1c${"\0".repeat(16)}\0\xff\xff\0\xfe\xfe\xfe\xfe\xfd\xfd\xfd\xfd\x12\x34\x56\x78\0${String.fromCharCode(text.length)}${text}`,
      ),
    ),
    read: (reply) => readAs(readPong(reply)),
  },
  notes: {
    title: "Minecraft: Bedrock Edition (RakNet ping)",
    how: "The name is the first line of the MOTD, the map the level's name.",
    traps: ["Geyser answers as Bedrock; add the Java server at its own port."],
    open: "the game's port.",
  },
};
