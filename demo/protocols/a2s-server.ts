/** Mock game server that answers A2S over UDP as Steam's do (https://developer.valvesoftware.com/wiki/Server_queries). */
import { randomBytes } from "node:crypto";
import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";
import { isIPv6 } from "node:net";

/** Facts that the server reports; `players` includes `bots`, as in the protocol. */
export type A2sInfo = {
  name: string;
  map: string;
  /** The game's folder and full name, such as "valheim" and "Valheim". */
  folder: string;
  game: string;
  players: number;
  maxPlayers: number;
  bots?: number;
  version: string;
  appId?: number;
  /** The port that players type; default: the query port. */
  gamePort?: number;
  keywords?: string;
  /** Its rules, besides the version. */
  rules?: Record<string, string>;
  passwordProtected?: boolean;
};

export type A2sServer = { port: number; close(): Promise<void> };

const packetSize = 1248;
const infoQuestion = Buffer.from("\xff\xff\xff\xffTSource Engine Query\0", "latin1");
const noChallenge = 0xffffffff;

/**
 * Starts a server on `host` (127.0.0.1) and `port` (any free one). `info` and `playerNames` are called for each query, so that the
 * figures can change. With `challenge` (default) a new client must prove that it receives the answers, as Steam demands since 2020.
 * Rejects if the port is in use. Ignores garbage.
 */
export async function startA2sServer(options: {
  host?: string;
  port?: number;
  info: () => A2sInfo;
  playerNames?: () => string[];
  challenge?: boolean;
  /** Delay of each answer. */
  answersAfterMs?: number;
}): Promise<A2sServer> {
  const host = options.host ?? "127.0.0.1";
  const demandsChallenge = options.challenge ?? true;
  const challenge = randomBytes(4).readUInt32LE() >>> 1;
  const startedAt = performance.now();
  let replies = 0;

  const answer = (question: Buffer): Buffer | null => {
    if (question.length < 9 || question.readUInt32LE(0) !== 0xffffffff) return null;
    const type = question[4];
    if (type === 0x54) {
      if (!question.subarray(0, infoQuestion.length).equals(infoQuestion)) return null;
      const shown =
        question.length >= infoQuestion.length + 4 ? question.readUInt32LE(infoQuestion.length) : noChallenge;
      return demandsChallenge && shown !== challenge
        ? encodeChallenge(challenge)
        : encodeInfo(options.info(), options.port);
    }
    if (type !== 0x55 && type !== 0x56) return null;
    // Lists always need a challenge: they are long, and the sender's address may be forged.
    if (question.readUInt32LE(5) !== challenge) return encodeChallenge(challenge);
    if (type === 0x56) return encodeRules(options.info());
    return encodePlayers(
      options.playerNames?.() ?? inventNames(options.info()),
      (performance.now() - startedAt) / 1000,
    );
  };

  const socket = createSocket(isIPv6(host) ? "udp6" : "udp4");
  let closing: Promise<void> | undefined;
  const { answersAfterMs = 0 } = options;
  const respond = (question: Buffer, from: RemoteInfo): void => {
    const reply = answer(question);
    if (!reply || closing) return;
    for (const packet of splitReply(reply, ++replies)) socket.send(packet, from.port, from.address, () => {});
  };
  socket.on("message", (question, from) => {
    if (answersAfterMs === 0) respond(question, from);
    else setTimeout(respond, answersAfterMs, question, from);
  });
  socket.bind(options.port ?? 0, host);
  await once(socket, "listening");
  socket.on("error", () => {});
  return {
    port: socket.address().port,
    close() {
      closing ??= new Promise((resolve) => socket.close(() => resolve()));
      return closing;
    },
  };
}

function text(value: string): Buffer {
  return Buffer.from(`${value.replaceAll("\0", "")}\0`, "utf8");
}

function encodeChallenge(challenge: number): Buffer {
  const reply = Buffer.from("\xff\xff\xff\xffA\0\0\0\0", "latin1");
  reply.writeUInt32LE(challenge, 5);
  return reply;
}

function encodeInfo(info: A2sInfo, ownPort: number | undefined): Buffer {
  const gamePort = info.gamePort ?? ownPort;
  const appId = Buffer.alloc(2);
  appId.writeUInt16LE((info.appId ?? 0) & 0xffff);
  const counts = [info.players, info.maxPlayers, info.bots ?? 0].map((count) => Math.min(Math.max(count, 0), 255));
  const port = Buffer.alloc(2);
  port.writeUInt16LE(gamePort ?? 0);
  // The header has room for 16 bits of the app id; the whole one is the low part of the game's 64-bit id at the end.
  const gameId = Buffer.alloc(8);
  gameId.writeBigUInt64LE(BigInt(info.appId ?? 0));
  const keywords = keywordsOf(info);
  const extra = (gamePort ? 0x80 : 0) | (keywords ? 0x20 : 0) | (info.appId ? 0x01 : 0);
  return Buffer.concat([
    Buffer.from([0xff, 0xff, 0xff, 0xff, 0x49, 17]),
    text(info.name),
    text(info.map),
    text(info.folder),
    text(info.game),
    appId,
    Buffer.from([...counts, "d".charCodeAt(0), "l".charCodeAt(0), info.passwordProtected ? 1 : 0, 0]),
    text(info.version),
    Buffer.from([extra]),
    gamePort ? port : Buffer.alloc(0),
    keywords ? text(keywords) : Buffer.alloc(0),
    info.appId ? gameId : Buffer.alloc(0),
  ]);
}

/** Rust also reports its counts in keywords, because a byte holds no more than 255. */
function keywordsOf({ folder, keywords = "", maxPlayers, players }: A2sInfo): string {
  return folder === "rust" ? `mp${maxPlayers},cp${players},ptrak,qp0,${keywords}` : keywords;
}

function encodePlayers(names: string[], connectedS: number): Buffer {
  const figures = Buffer.alloc(8);
  figures.writeFloatLE(connectedS, 4);
  const entries = names.map((name) => Buffer.concat([Buffer.from([0]), text(name), figures]));
  return Buffer.concat([Buffer.from([0xff, 0xff, 0xff, 0xff, 0x44, names.length & 255]), ...entries]);
}

function encodeRules(info: A2sInfo): Buffer {
  const rules = Object.entries({ version: info.version, ...info.rules });
  const head = Buffer.from([0xff, 0xff, 0xff, 0xff, 0x45, rules.length, 0]);
  return Buffer.concat([head, ...rules.flatMap(([name, value]) => [text(name), text(value)])]);
}

/** Many real servers list players without names; so does this one by default. */
function inventNames(info: A2sInfo): string[] {
  return Array.from({ length: info.players }, () => "");
}

/** Returns one packet, or several in Source's format if the reply is longer than a packet. */
function splitReply(reply: Buffer, replyId: number): Buffer[] {
  if (reply.length <= packetSize) return [reply];
  const total = Math.ceil(reply.length / packetSize);
  return Array.from({ length: total }, (_, number) => {
    const header = Buffer.alloc(12);
    header.writeUInt32LE(0xfffffffe, 0);
    header.writeUInt32LE(replyId & 0x7fffffff, 4);
    header.writeUInt8(total, 8);
    header.writeUInt8(number, 9);
    header.writeUInt16LE(packetSize, 10);
    return Buffer.concat([header, reply.subarray(number * packetSize, (number + 1) * packetSize)]);
  });
}
