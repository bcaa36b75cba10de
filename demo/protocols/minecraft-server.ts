/** A pretend Minecraft server (Java Edition): answers Server List Ping and politely turns away whoever wants to play. */
import type { Socket } from "node:net";
import { listenOverTcp, type TcpListener } from "./tcp-listener.ts";

/** What the server says of itself in the list; `protocol` is Minecraft's number for `version` (1.21.4 is 769). */
export type MinecraftInfo = {
  players: number;
  maxPlayers: number;
  version: string;
  protocol: number;
  description: string;
};

const longestPacket = 2048;
const wantsStatus = 1;
const wantsToPlay = [2, 3];

/** Starts a server on `host` (127.0.0.1) and `port` (any free one); `info` is asked for each ping, so that the figures can move. */
export function startMinecraftServer(options: {
  host?: string;
  port?: number;
  info: () => MinecraftInfo;
  /** Shown to who tries to join. */
  farewell?: string;
}): Promise<TcpListener> {
  const farewell = options.farewell ?? "This is a demo: nobody plays here. Thank you for trying.";
  return listenOverTcp(options, (visitor) => converse(visitor, options.info, farewell));
}

/** The protocol's three states that concern us (https://minecraft.wiki/w/Java_Edition_protocol/Packets). */
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
    // The ping brings eight bytes that the pong takes back, and ends the visit.
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
    players: { online: info.players, max: info.maxPlayers, sample: [] },
    description: { text: info.description },
  });
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
