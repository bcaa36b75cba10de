/**
 * Polls a Factorio server for its game information, at the port that players type: one byte, to which it sends its name,
 * version and players to any client. Its maker documents none of this: the format follows public captures of 2.0 and 2.1
 * (github.com/Hornwitser/factorio_dissector, github.com/morganchristiansson/factorio-packetlog).
 */
import { randomInt } from "node:crypto";
import type { About, Adapter } from "../adapter.ts";
import {
  answerWithoutFigures,
  cleanCount,
  cleanText,
  type GameAnswer,
  type QueryResult,
  type QueryTarget,
} from "../answer.ts";
import { bytes, readAs } from "../reply-reader.ts";
import { exchangeOverUdp } from "../udp-exchange.ts";
import { FactorioReader, type Message, MessageParts } from "./factorio-message.ts";

/** Types of messages: the low five bits of the first byte. */
const PING = 0;
const PING_REPLY = 1;
const INFO_REQUEST = 16;
const INFO_REPLY = 17;
const TYPE_BITS = 0x1f;

const USUAL_PORT = 34_197;
const about: About = { game: "Factorio", steamAppId: 427_520, gamePort: null, options: {} };

/**
 * Polls `target`; never rejects. Sends a ping with the query: a server that answers it is a Factorio server and up, even if its
 * information has an unknown format, or is missing; the fields are null then. `deadlineMs` covers everything, 2,000 by default.
 */
export async function queryFactorio(
  target: QueryTarget,
  { deadlineMs = 2000, onAbout }: { deadlineMs?: number; onAbout?: ((about: About) => void) | undefined } = {},
): Promise<QueryResult> {
  const startedAt = performance.now();
  const number = randomInt(0x10000);
  const parts = new MessageParts();
  let pingedMs: number | null = null;
  let isUnreadable = false;

  const readInfoReply = (packet: Buffer): GameAnswer | "more" | "malformed" => {
    const message = parts.add(packet);
    if (typeof message === "string") return message;
    const info = readInfo(message);
    isUnreadable = info === null;
    return info ?? (pingedMs === null ? "more" : answerWithoutFigures);
  };
  const readPingReply = (packet: Buffer): GameAnswer | "more" | "malformed" => {
    if (packet.length !== 3 || packet.readUInt16LE(1) !== number) return "malformed";
    pingedMs ??= performance.now() - startedAt;
    return isUnreadable ? answerWithoutFigures : "more";
  };
  const result = await exchangeOverUdp(target, {
    request: [Buffer.of(INFO_REQUEST), Buffer.of(PING, number & 0xff, number >> 8)],
    onPacket(packet) {
      const type = (packet[0] ?? 0) & TYPE_BITS;
      return type === INFO_REPLY ? readInfoReply(packet) : type === PING_REPLY ? readPingReply(packet) : "malformed";
    },
    deadlineMs,
  });
  if (result.ok || pingedMs !== null) onAbout?.(about);
  return result.ok || pingedMs === null ? result : { ok: true, latencyMs: pingedMs, answer: answerWithoutFigures };
}

/** Null: truncated, or of an unknown format. Counts the names of players, and ignores them otherwise. */
export function readInfo(message: Message): GameAnswer | null {
  const reader = new FactorioReader(message);
  // The game's id.
  reader.skip(12);
  const name = reader.text();
  const version = [reader.byte(), reader.byte(), reader.byte()].join(".");
  // The build; a description; its uptime, and unknown bytes; its own address; three flags.
  reader.skip(4);
  reader.text();
  reader.skip(8);
  reader.text();
  reader.skip(3);
  // Mods with their versions and checksums; tags; players.
  reader.list(() => {
    reader.text();
    reader.skip(7);
  });
  reader.list(() => reader.text());
  const players = reader.list(() => reader.text());
  if (reader.failed) return null;
  return { ...answerWithoutFigures, players: cleanCount(players), version, name: cleanText(withoutMarkup(name)) };
}

const longestName = 800;

/** Removes its rich text: [color=red]Red[/color], [img=item/coal], [.font]. Other words in brackets belong to the name. */
const withoutMarkup = (name: string): string =>
  name.slice(0, longestName).replaceAll(/\[(?:[a-z-]+=[^[\]]*|[/.](?:color|font))\]/g, "");

export const factorio: Adapter = {
  query: ({ address, port, deadlineMs, onAbout }) => queryFactorio({ address, port }, { deadlineMs, onAbout }),
  deadlineMs: 2000,
  transport: "udp",
  tries: (port) => [{ port: port ?? USUAL_PORT }],
  game: () => "Factorio",
  certainty: () => 30,
  replies: {
    golden: ["\x11", "\xd1\x02\0\0", "\xd1\x02\x80\0\x01\0\0\0\0"].map((head) =>
      bytes(
        `${head}\x78\x56\x34\x12${"\0".repeat(8)}\x0a[EU] Rails\x02\0\x4d\x4c\x49\x01\0\xff\x03\0\0\0hi!\0\0\x1e\0\0\0\0\0\x02:1\x01\0\x01\x01\x04base\x02\0\x4d\0\0\0\0\x01\x04game\x02\x03Ada\x05Grace\x01`,
      ),
    ),
    read(packet) {
      const message = new MessageParts().add(packet);
      return readAs(typeof message === "string" ? message : readInfo(message));
    },
  },
  notes: {
    title: "Factorio (game information)",
    how: "The game's own server-list request and a ping.",
    traps: ["Read as in 2.0 and 2.1. If only the ping answers, figures are unknown.", "No maximum."],
    open: "the game's port. `visibility` in `server-settings.json` may be off.",
  },
};
