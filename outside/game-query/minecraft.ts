/** Polls a Minecraft server (Java Edition) by Server List Ping, in one connection that is closed after the reply. */
import type { Adapter } from "./adapter.ts";
import {
  answerWithoutFigures,
  cleanCount,
  cleanText,
  type GameAnswer,
  type QueryResult,
  type QueryTarget,
} from "./answer.ts";
import { readDetails, readPlayerNames } from "./minecraft-details/details.ts";
import { UNNAMED } from "./minecraft-details/motd.ts";
import { encodeStatusRequest, encodeVarInt, StatusResponseReader } from "./minecraft-packet.ts";
import { bytes, json, readAs } from "./reply-reader.ts";
import { isRecord, parseShallowJson } from "./shallow-json.ts";
import { exchangeOverTcp, type Reading } from "./tcp-exchange.ts";

/** Chat texts nest a little; honest ones no deeper. */
const DEEPEST_JSON = 32;

/** Which details of a status are read; none by default. */
type Wanted = { wantsDetails?: boolean | undefined; wantsNames?: boolean | undefined };

/**
 * Polls `target`; `host` is the name that the admin typed, for the handshake. Never rejects. `deadlineMs` covers
 * connection and reply, 2,000 by default. Description, icon, mods and names are read only if wanted.
 */
export function queryMinecraft(
  target: QueryTarget & { host: string },
  options: Wanted & { deadlineMs?: number } = {},
): Promise<QueryResult> {
  const reader = new StatusResponseReader();
  return exchangeOverTcp(target, {
    greeting: encodeStatusRequest(target.host, target.port),
    onBytes: (bytes): Reading => {
      const response = reader.add(bytes);
      return typeof response === "string" ? response : (readStatus(response.json, options) ?? "malformed");
    },
    deadlineMs: options.deadlineMs ?? 2000,
  });
}

/** Reads a status response's JSON; null for anything else. A count that is no plain number stays null: unknown, not zero. */
export function readStatus(json: string, { wantsDetails, wantsNames }: Wanted = {}): GameAnswer | null {
  const status = parseShallowJson(json, DEEPEST_JSON);
  if (!isRecord(status)) return null;
  const players = isRecord(status.players) ? status.players : {};
  const version = isRecord(status.version) ? status.version : {};
  return {
    ...answerWithoutFigures,
    players: cleanCount(players.online),
    maxPlayers: cleanCount(players.max),
    version: cleanText(version.name),
    name: nameIn(status.description),
    ...(wantsDetails && { details: readDetails(status) }),
    ...(wantsNames && { playerNames: readPlayerNames(players) }),
  };
}

/** The most parts of a description that are read for the name in its first line. */
const MOST_PARTS = 200;

/** Finds the name: Minecraft has none but a description (the "MOTD"), a text or parts of one; uses its first line with content. */
function nameIn(description: unknown): string | null {
  let parts = 0;
  const flatten = (value: unknown): string => {
    parts += 1;
    if (parts > MOST_PARTS) return "";
    if (typeof value === "string") return value;
    if (Array.isArray(value)) return value.slice(0, MOST_PARTS).map(flatten).join("");
    return isRecord(value) ? flatten(value.text) + flatten(value.extra) : "";
  };
  for (const line of flatten(description).slice(0, 2_000).split("\n")) {
    const name = cleanText(line);
    if (name !== null) return name === UNNAMED ? null : name;
  }
  return null;
}

/** Sample replies of game servers. */
const MINECRAFT = {
  version: { name: "Paper 1.21.4", protocol: 769 },
  players: { online: 5, max: 40, sample: [{ name: "Ada", id: "00000000-0000-0000-0000-000000000000" }] },
  description: { text: "", extra: [{ text: "An§carchy" }, "\n", { text: "since 2011", color: "#ff8800", bold: true }] },
  favicon: `data:image/png;base64,${bytes("\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x40\0\0\0\x40\x08\x06").toString("base64")}`,
  modinfo: { type: "FML", modList: [{ modid: "thaumcraft", version: "6.1" }] },
};
const FORGE = {
  ...MINECRAFT,
  description: "§x§1§2§3§4§5§6Forge §lserver\nHome",
  forgeData: {
    mods: [{ modId: "jei", modmarker: "9.5" }],
    // Two mods, the first with a version and a channel.
    d: packed("\0\0\x02\x02\x06create\x030.5\x04main\x011\x01\x01\x04rein"),
  },
};

/** Packs bytes into a text like Forge: their number in the first two characters, then fifteen bits in each. */
function packed(latin1: string): string {
  let characters = String.fromCharCode(latin1.length & 0x7fff, latin1.length >> 15);
  let waiting = 0;
  let bits = 0;
  for (const byte of bytes(latin1)) {
    waiting |= byte << bits;
    bits += 8;
    if (bits < 15) continue;
    characters += String.fromCharCode(waiting & 0x7fff);
    waiting >>>= 15;
    bits -= 15;
  }
  return characters + String.fromCharCode(waiting);
}

function packetOf(status: unknown): Buffer {
  const text = json(status);
  const packet = Buffer.concat([Buffer.of(0), encodeVarInt(text.length), text]);
  return Buffer.concat([encodeVarInt(packet.length), packet]);
}

const WITH_DETAILS = { wantsDetails: true, wantsNames: true };

export const minecraft: Adapter = {
  query: ({ address, port, host, ...options }) => queryMinecraft({ address, port, host }, options),
  deadlineMs: 2000,
  transport: "tcp",
  service: { name: "_minecraft._tcp", port: 25_565 },
  tries: (port) => [{ port }],
  game: () => "Minecraft",
  certainty: () => 30,
  replies: {
    // Whole packets, and bare content: if a test breaks a packet's length, its content isn't read.
    golden: [packetOf(MINECRAFT), json(MINECRAFT), json(FORGE)],
    read(reply) {
      if (reply[0] === 0x7b) return readAs(readStatus(reply.toString(), WITH_DETAILS));
      const packet = new StatusResponseReader().add(reply);
      return readAs(typeof packet === "string" ? packet : readStatus(packet.json, WITH_DETAILS));
    },
  },
  notes: {
    title: "Minecraft: Java Edition (Server List Ping)",
    how: "The game's own server-list ping. The name is the first line of the MOTD.",
    traps: [
      "Without a port, the DNS record `_minecraft._tcp` names it.",
      "Proxies (Velocity, BungeeCord) answer by host name: enter the name that players type.",
      "`hide-online-players=true` hides names only; plugins may report any figure.",
    ],
    open: "the game's port, with `enable-status=true` in `server.properties` (the default). `enable-query` isn't needed.",
  },
};
