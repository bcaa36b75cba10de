/** Polls Teeworlds (0.6, 0.7) and DDNet game servers: sends both kinds of query at once, and uses whichever is answered. */
import { randomBytes } from "node:crypto";
import type { About, Adapter } from "../adapter.ts";
import type { GameAnswer, QueryResult, QueryTarget } from "../answer.ts";
import { bytes, readAs, zeroEnded } from "../reply-reader.ts";
import { exchangeOverUdp, type UdpReading, type UdpRequest } from "../udp-exchange.ts";
import { formAt, readPacked, readTexts } from "./teeworlds-info.ts";

const getInfo = Buffer.from("\xff\xff\xff\xffgie3", "latin1");
/** Six bytes before the payload: DDNet's mark and the part that it echoes, or bytes that 0.6 ignores. */
const headOf6 = 6;
/** 0.7's header of a packet outside of a connection: the mark and its version, the server's token, ours. */
const headOf7 = 9;
const outsideConnection7 = 0x21;
const control7 = 0x04;
const tokenMessage7 = 5;
/** 0.7 sends a token only for a request as long as its longest reply. */
const tokenRequestLength = 7 + 512;
/** The prefix of DDNet's version when it speaks 0.7; that reply omits players beyond one packet. */
const translated = "0.7↔";

/**
 * Polls `target`; never rejects. Ignores replies without our tokens. `deadlineMs` covers everything, 2,000 by default. `onAbout`
 * receives which of the games it is.
 */
export function queryTeeworlds(
  target: QueryTarget,
  { deadlineMs = 2000, onAbout }: { deadlineMs?: number; onAbout?: ((about: About) => void) | undefined } = {},
): Promise<QueryResult> {
  const random = randomBytes(7);
  const [token, ours] = [random.subarray(0, 3), random.subarray(3)];
  // 0xffffffff means that there is none.
  ours[0] = 0;
  return exchangeOverUdp(target, { ...converse(token, ours, onAbout), deadlineMs });
}

/** Makes one conversation: the first queries, and the reader of each packet. 0.6 echoes `token`, 0.7 echoes `ours`. */
function converse(
  token: Buffer,
  ours: Buffer,
  onAbout?: (about: About) => void,
): { request: UdpRequest; onPacket: (packet: Buffer) => UdpReading } {
  const question6 = Buffer.concat([
    Buffer.from("xe"),
    token.subarray(0, 2),
    Buffer.alloc(2),
    getInfo,
    token.subarray(2),
  ]);
  let theirs: Buffer | null = null;

  const answered = (game: string, answer: GameAnswer): GameAnswer => {
    onAbout?.({ game, steamAppId: null, gamePort: null, options: {} });
    return answer;
  };
  /** The server's token has arrived: send the query. */
  const takeToken = (packet: Buffer): UdpReading => {
    if (packet.length < 12 || packet[7] !== tokenMessage7) return "malformed";
    if (!packet.subarray(3, 7).equals(ours)) return "more";
    const given = packet.subarray(8, 12);
    // Repeated requests bring the same one twice.
    if (theirs?.equals(given)) return "more";
    theirs = Buffer.from(given);
    return { ask: [question6, Buffer.concat([Buffer.of(outsideConnection7), theirs, ours, getInfo, Buffer.of(0)])] };
  };
  const read7 = (packet: Buffer): UdpReading => {
    if (packet.length < headOf7 || formAt(packet, headOf7) !== "plain") return "malformed";
    if (!packet.subarray(1, 5).equals(ours)) return "more";
    const told = readPacked(packet, headOf7);
    if (!told) return "malformed";
    // DDNet answers the other query, too, and then omits no players.
    return told.answer.version?.startsWith(translated) ? "more" : answered("Teeworlds", told.answer);
  };
  const read6 = (packet: Buffer): UdpReading => {
    const form = formAt(packet, headOf6);
    if (form === null || form === "more") return form ?? "malformed";
    const told = readTexts(packet, headOf6, form);
    if (!told) return "malformed";
    // Servers that don't know DDNet's mark echo the last byte alone.
    if (told.token !== (form === "extended" ? token.readUIntBE(0, 3) : token[2])) return "more";
    return answered(form === "extended" ? "DDNet" : "Teeworlds", told.answer);
  };

  return {
    request: [question6, requestToken(ours)],
    onPacket(packet) {
      const mark = packet[0] ?? 0;
      if (mark === outsideConnection7) return read7(packet);
      return (mark & 0xfc) === control7 ? takeToken(packet) : read6(packet);
    },
  };
}

function requestToken(ours: Buffer): Buffer {
  const request = Buffer.alloc(tokenRequestLength);
  request[0] = control7;
  request.fill(0xff, 3, 7);
  request[7] = tokenMessage7;
  request.set(ours, 8);
  return request;
}

const GOLDEN_TOKEN = Buffer.of(1, 2, 3);
const GOLDEN_OURS = Buffer.of(0, 5, 6, 7);

export const teeworlds: Adapter = {
  query: ({ address, port, deadlineMs, onAbout }) => queryTeeworlds({ address, port }, { deadlineMs, onAbout }),
  deadlineMs: 2000,
  transport: "udp",
  tries: (port) => [{ port: port ?? 8303 }],
  game: () => null,
  certainty: () => 30,
  replies: {
    golden: [
      bytes(
        `${"\xff".repeat(10)}inf3${zeroEnded(3, "0.6.5", "Midgard [47/64]", "ctf5", "CTF", 1, 15, 16, 15, 16)}Tee\0\0${zeroEnded(-1, 4, 1)}`,
      ),
      bytes(
        `${"\xff".repeat(10)}iext${zeroEnded(0x010203, "0.6.4, 19.1", "DD", "Tutorial", 1, 2, "DDraceNetwork", 0, 60, 126, 70, 128, "")}`,
      ),
      bytes(
        `\x21\0\x05\x06\x07abcd\xff\xff\xff\xffinf3\0${zeroEnded("0.7.5", "Midgard", "", "ctf5", "CTF")}\x01\x01\x05\x10\xaf\x01\x80\x02Tee\0\0\x40\x04\0`,
      ),
    ],
    read(reply) {
      return readAs(converse(GOLDEN_TOKEN, GOLDEN_OURS).onPacket(reply));
    },
  },
  notes: {
    title: "Teeworlds and DDNet",
    how: "0.6 and 0.7 requests together; either answer counts.",
    traps: ["Spectators count as players.", "0.6 has room for 16; larger counts come from the name (`Name [47/64]`)."],
    open: "the game's port. `sv_register 0` still answers.",
  },
};
