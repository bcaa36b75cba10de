/** Mock Minecraft server of the Bedrock Edition: answers RakNet's unconnected ping (https://minecraft.wiki/w/RakNet). */
import { randomBytes } from "node:crypto";
import { listenOverUdp, type UdpListener } from "./udp-listener.ts";

/** Facts that the server reports; `protocol` is Minecraft's number for `version` (1.21.50 is 766). */
export type BedrockInfo = {
  name: string;
  level: string;
  players: number;
  maxPlayers: number;
  version: string;
  protocol: number;
};

const magic = Buffer.from("00ffff00fefefefefdfdfdfd12345678", "hex");
const pingLength = 1 + 8 + 16 + 8;

/** Starts a server on `host` (127.0.0.1) and `port` (any free one); calls `info` for each ping. `echoes` (on): returns the time. */
export async function startBedrockServer(options: {
  host?: string;
  port?: number;
  info: () => BedrockInfo;
  echoes?: boolean;
}): Promise<UdpListener> {
  const id = randomBytes(8);
  return listenOverUdp(options, (ping) => {
    // Both pings: one for everyone, one answered only if there is room.
    if (ping.length < pingLength || (ping[0] !== 1 && ping[0] !== 2) || !ping.subarray(9, 25).equals(magic))
      return null;
    const text = Buffer.from(encodeInfo(options.info(), id));
    const length = Buffer.alloc(2);
    length.writeUInt16BE(text.length);
    const time = options.echoes === false ? Buffer.alloc(8) : ping.subarray(1, 9);
    return Buffer.concat([Buffer.from([0x1c]), time, id, magic, length, text]);
  });
}

function encodeInfo(info: BedrockInfo, id: Buffer): string {
  const name = info.name.replaceAll(";", "\\;");
  const figures = [info.protocol, info.version, info.players, info.maxPlayers, id.readBigUInt64BE()];
  return `${["MCPE", name, ...figures, info.level, "Survival", 1, 19_132, 19_133].join(";")};`;
}
