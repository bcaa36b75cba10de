/** Mock Minecraft server (Java Edition): answers Server List Ping and politely rejects players. */
import type { Socket } from "node:net";
import { listenOverTcp, type TcpListener } from "./tcp-listener.ts";

/** Facts for the server list; `protocol` is Minecraft's number for `version` (1.21.4 is 769). */
export type MinecraftInfo = {
  players: number;
  maxPlayers: number;
  version: string;
  protocol: number;
  /** A text with § codes, or a chat component. */
  description: string | Record<string, unknown>;
  /** PNG of the icon, 64 × 64. */
  icon?: Buffer | undefined;
  /** In Forge's format since 1.18. */
  mods?: readonly string[] | undefined;
  /** Player names; as in the game, a dozen are sent. */
  names?: readonly string[] | undefined;
};

const longestPacket = 2048;
const wantsStatus = 1;
const wantsToPlay = [2, 3];
const mostNamed = 12;

/** Starts a server on `host` (127.0.0.1) and `port` (any free one); calls `info` for each ping, so that the figures can change. */
export function startMinecraftServer(options: {
  host?: string;
  port?: number;
  info: () => MinecraftInfo;
  /** Shown to joining players. */
  farewell?: string;
}): Promise<TcpListener> {
  const farewell = options.farewell ?? "This is a demo: nobody plays here. Thank you for trying.";
  return listenOverTcp(options, (visitor) => converse(visitor, options.info, farewell));
}

/** Handles three of the protocol's states (https://minecraft.wiki/w/Java_Edition_protocol/Packets). */
function converse(visitor: Socket, info: () => MinecraftInfo, farewell: string): void {
  let unread: Buffer = Buffer.alloc(0);
  let state: "handshake" | "status" = "handshake";

  const answer = (packet: Buffer): boolean => {
    if (state === "handshake") {
      const next = packet[0] === 0 ? packet.at(-1) : undefined;
      if (next === wantsStatus) {
        state = "status";
        return true;
      }
      if (next !== undefined && wantsToPlay.includes(next)) {
        visitor.end(encodePacket(0, encodeText(JSON.stringify({ text: farewell }))));
      }
      return false;
    }
    if (packet[0] === 0 && packet.length === 1) {
      visitor.write(encodePacket(0, encodeText(encodeStatus(info()))));
      return true;
    }
    // The ping has eight bytes, which the pong returns, and ends the connection.
    if (packet[0] === 1 && packet.length === 9) visitor.end(encodePacket(1, packet.subarray(1)));
    return false;
  };

  visitor.on("data", (bytes: Buffer) => {
    unread = Buffer.concat([unread, bytes]);
    for (let packet = takePacket(); packet !== null; packet = takePacket()) {
      if (packet === "garbage" || !answer(packet)) {
        visitor.removeAllListeners("data");
        visitor.resume();
        if (packet === "garbage" || !visitor.writableEnded) visitor.destroy();
        return;
      }
    }
  });

  const takePacket = (): Buffer | "garbage" | null => {
    let length = 0;
    for (let at = 0; at < 3; at++) {
      const byte = unread[at];
      if (byte === undefined) return null;
      length |= (byte & 127) << (at * 7);
      if (byte > 127) continue;
      if (length === 0 || length > longestPacket) return "garbage";
      const end = at + 1 + length;
      if (unread.length < end) return null;
      const packet = unread.subarray(at + 1, end);
      unread = unread.subarray(end);
      return packet;
    }
    return "garbage";
  };
}

function encodeStatus(info: MinecraftInfo): string {
  return JSON.stringify({
    version: { name: info.version, protocol: info.protocol },
    players: {
      online: info.players,
      max: info.maxPlayers,
      sample: (info.names ?? []).slice(0, mostNamed).map(sampled),
    },
    description: typeof info.description === "string" ? { text: info.description } : info.description,
    ...(info.icon && { favicon: `data:image/png;base64,${info.icon.toString("base64")}` }),
    ...(info.mods && {
      forgeData: { channels: [], mods: [], truncated: false, fmlNetworkVersion: 3, d: encodeMods(info.mods) },
    }),
  });
}

const sampled = (name: string, place: number) => ({
  name,
  id: `00000000-0000-4000-8000-${String(place).padStart(12, "0")}`,
});

/**
 * Encodes a list of mods as Forge does (its ServerStatusPing.java): whether it was cut, their number, for each the number of its
 * channels with a flag, its name and its version; then fifteen bits per character, preceded by the number of bytes.
 */
export function encodeMods(mods: readonly string[]): string {
  const entries = mods.map((name) => Buffer.concat([Buffer.from([0]), encodeText(name), encodeText("1.0.0")]));
  const bytes = Buffer.concat([Buffer.from([0, mods.length >> 8, mods.length & 255]), ...entries, Buffer.from([0])]);
  const characters = [bytes.length & 0x7fff, bytes.length >> 15];
  let bits = 0;
  let waiting = 0;
  for (const byte of bytes) {
    waiting |= byte << bits;
    bits += 8;
    if (bits < 15) continue;
    characters.push(waiting & 0x7fff);
    waiting >>>= 15;
    bits -= 15;
  }
  if (bits > 0) characters.push(waiting);
  return characters.map((character) => String.fromCharCode(character)).join("");
}

function encodeVarInt(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest & 127) | 128);
  }
}

function encodeText(value: string): Buffer {
  const bytes = Buffer.from(value, "utf8");
  return Buffer.concat([encodeVarInt(bytes.length), bytes]);
}

function encodePacket(id: number, body: Buffer): Buffer {
  return Buffer.concat([encodeVarInt(body.length + 1), Buffer.from([id]), body]);
}
