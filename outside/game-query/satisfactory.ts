/**
 * Polls a Satisfactory server by its lightweight query (UDP, at the game's own port): state, name and version. Only its HTTPS
 * interface at the same port reports the number of players, with an application token; it is queried afterwards.
 */
import { randomBytes } from "node:crypto";
import type { Adapter } from "./adapter.ts";
import { answerWithoutFigures, cleanCount, cleanText, type GameAnswer, type QueryTarget } from "./answer.ts";
import { exchangeOverHttp } from "./http-exchange.ts";
import { bytes, json, readAs, readJson } from "./reply-reader.ts";
import { isRecord } from "./shallow-json.ts";
import { exchangeOverUdp, type UdpReading } from "./udp-exchange.ts";

// The format is that of DedicatedServerAPIDocs.md, which comes with the game. All numbers are little endian.
const MAGIC = 0xf6d5;
const POLL = 0;
const STATE = 1;
const PROTOCOL_VERSION = 1;
const TERMINATOR = 1;
const COOKIE_BYTES = 8;
/** Magic, type and version before the payload. */
const HEAD_BYTES = 4;
/** The process runs, but the game isn't listening. */
const OFFLINE = 0;
const HIGHEST_STATE = 3;
const SUB_STATE_BYTES = 3;

function encodePoll(cookie: Buffer): Buffer {
  const head = Buffer.from([MAGIC & 0xff, MAGIC >> 8, POLL, PROTOCOL_VERSION]);
  return Buffer.concat([head, cookie, Buffer.from([TERMINATOR])]);
}

/** Reads the reply to `cookie`. */
export function readState(packet: Buffer, cookie: Buffer): UdpReading {
  const nameAt = HEAD_BYTES + COOKIE_BYTES + 1 + 4 + 8 + 1;
  if (packet.length < nameAt + 3 || packet.readUInt16LE(0) !== MAGIC || packet[2] !== STATE) return "malformed";
  // Replies to other queries cannot arrive here; one with another cookie is a forgery.
  if (!packet.subarray(HEAD_BYTES, HEAD_BYTES + COOKIE_BYTES).equals(cookie)) return "more";
  const state = packet[HEAD_BYTES + COOKIE_BYTES] ?? OFFLINE;
  if (state === OFFLINE || state > HIGHEST_STATE || packet.at(-1) !== TERMINATOR) return "malformed";
  const version = packet.readUInt32LE(HEAD_BYTES + COOKIE_BYTES + 1);
  const lengthAt = nameAt + (packet[nameAt - 1] ?? 0) * SUB_STATE_BYTES;
  if (packet.length < lengthAt + 3) return "malformed";
  const name = packet.subarray(lengthAt + 2, lengthAt + 2 + packet.readUInt16LE(lengthAt));
  if (lengthAt + 2 + packet.readUInt16LE(lengthAt) + 1 !== packet.length) return "malformed";
  return { ...answerWithoutFigures, version: String(version), name: cleanText(name.toString()) } satisfies GameAnswer;
}

/** Reads the players in a reply of `QueryServerState`; both null if it has none. */
export function readPeople(body: unknown): Pick<GameAnswer, "players" | "maxPlayers"> {
  const state = isRecord(body) && isRecord(body.data) ? body.data.serverGameState : null;
  const { numConnectedPlayers, playerLimit } = isRecord(state) ? state : {};
  return { players: cleanCount(numConnectedPlayers), maxPlayers: cleanCount(playerLimit) };
}

/** Requests the number of players from a server that has just replied: it is up, whatever the result. */
async function askForPeople(
  target: QueryTarget,
  question: { host: string; token: string; deadlineMs: number },
): Promise<Pick<GameAnswer, "players" | "maxPlayers">> {
  const { host, token, deadlineMs } = question;
  const result = await exchangeOverHttp(target, {
    host,
    path: "/api/v1",
    method: "POST",
    body: { function: "QueryServerState", data: {} },
    headers: { Authorization: `Bearer ${token}` },
    // The game makes its own certificate unless it is given one.
    security: "self_signed",
    deadlineMs,
  });
  return readPeople(result.ok ? result.body : null);
}

const USUAL_PORT = 7777;
/** The characters of a token, which are also the only ones that a header can carry. */
const TOKEN = /^[!-~]+$/;
/** The minimum time for the second query. */
const LEAST_FOR_PEOPLE_MS = 500;

const GOLDEN_COOKIE = "\x01\x02\x03\x04\x05\x06\x07\x08";

export const satisfactory: Adapter = {
  async query({ address, port, host, secrets, deadlineMs }) {
    const began = performance.now();
    const cookie = randomBytes(COOKIE_BYTES);
    const result = await exchangeOverUdp(
      { address, port },
      { request: encodePoll(cookie), onPacket: (packet) => readState(packet, cookie), deadlineMs },
    );
    const token = secrets?.applicationToken;
    const leftMs = deadlineMs - (performance.now() - began);
    if (!result.ok || token === undefined || !TOKEN.test(token) || leftMs < LEAST_FOR_PEOPLE_MS) return result;
    const people = await askForPeople({ address, port }, { host, token, deadlineMs: leftMs });
    return { ...result, answer: { ...result.answer, ...people } };
  },
  deadlineMs: 2000,
  transport: "udp",
  tries: (port) => [{ port: port ?? USUAL_PORT }],
  game: () => "Satisfactory",
  certainty: () => 30,
  replies: {
    golden: [
      bytes(`\xd5\xf6\x01\x01${GOLDEN_COOKIE}\x03\x7a\x96\x05\0${"\0".repeat(8)}\x01\0\x11\0\x0a\0My Factory\x01`),
      json({ data: { serverGameState: { numConnectedPlayers: 3, playerLimit: 4 } } }),
    ],
    read(reply) {
      if (reply[0] !== 0x7b) return readAs(readState(reply, bytes(GOLDEN_COOKIE)));
      return { answer: { ...answerWithoutFigures, ...readPeople(readJson(reply)) } };
    },
  },
  notes: {
    title: "Satisfactory (lightweight query, and HTTPS for players)",
    how: "A UDP packet tells status, name and build. With an application token, `QueryServerState` over HTTPS adds players and maximum.",
    traps: [
      "Without a token, players are unknown.",
      "Its certificate isn't checked: someone in between could read the token, which may manage the server. `server.InvalidateAPITokens` revokes all.",
    ],
    open: "the game's port; also TCP for the token.",
  },
};
