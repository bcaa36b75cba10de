/** Mock Teeworlds server of 0.6 or 0.7, or one of DDNet: answers information requests, nothing else. */
import { randomBytes } from "node:crypto";
import { listenOverUdp, type UdpListener } from "./udp-listener.ts";

/** Facts that the server reports; `watching` of its `players` are spectators. */
export type TeeworldsInfo = {
  name: string;
  map: string;
  gameType: string;
  version: string;
  players: number;
  watching?: number;
  maxPlayers: number;
  hasPassword?: boolean;
};

/** Before the payload: six bytes in 0.6, two of which DDNet returns; mark, the receiver's token and the sender's in 0.7. */
const headOf6 = 6;
const headOf7 = 9;
const outsideConnection7 = 0x21;
const control7 = 0x04;
const tokenMessage7 = 5;
const shortestTokenRequest = 7 + 512;
const getInfo = Buffer.from("\xff\xff\xff\xffgie3", "latin1");
const mostOfOldForm = 16;

/** Starts a server on `host` (127.0.0.1) and `port` (any free one); `info` is called for each query. */
export function startTeeworldsServer(options: {
  host?: string;
  port?: number;
  info: () => TeeworldsInfo;
  protocol: "0.6" | "0.7" | "ddnet";
}): Promise<UdpListener> {
  const token = randomBytes(4);
  const answer7 = (question: Buffer): Buffer | null => {
    if (question[0] === control7 && question[7] === tokenMessage7 && question.length >= shortestTokenRequest) {
      const theirs = question.subarray(8, 12);
      return Buffer.concat([Buffer.of(control7, 0, 0), theirs, Buffer.of(tokenMessage7), token]);
    }
    if (question[0] !== outsideConnection7 || !question.subarray(1, 5).equals(token)) return null;
    if (!isGetInfo(question, headOf7)) return null;
    const asked = question.subarray(headOf7 + getInfo.length);
    return Buffer.concat([
      Buffer.of(outsideConnection7),
      question.subarray(5, 9),
      token,
      encode7(options.info(), asked),
    ]);
  };
  const answer6 = (question: Buffer): Buffer | null => {
    if (!isGetInfo(question, headOf6)) return null;
    const asked = question[headOf6 + getInfo.length] ?? 0;
    const isExtended = options.protocol === "ddnet" && question.toString("latin1", 0, 2) === "xe";
    const info = isExtended
      ? encodeExtended(options.info(), (question.readUInt16BE(2) << 8) | asked)
      : encode6(options.info(), asked);
    return Buffer.concat([Buffer.alloc(headOf6, 0xff), info]);
  };
  return listenOverUdp(options, options.protocol === "0.7" ? answer7 : answer6);
}

const isGetInfo = (question: Buffer, at: number): boolean =>
  question.length > at + getInfo.length && question.subarray(at, at + getInfo.length).equals(getInfo);

const texts = (...values: (string | number)[]): Buffer =>
  Buffer.from(values.map((value) => `${String(value).replaceAll("\0", "")}\0`).join(""));

const head = (kind: string): Buffer => Buffer.from(`\xff\xff\xff\xff${kind}`, "latin1");

const playingOf = ({ players, watching = 0 }: TeeworldsInfo): number => players - watching;

/** Encodes the format for 16 players: a larger server puts the true number after the name. */
function encode6(info: TeeworldsInfo, token: number): Buffer {
  const { maxPlayers, players } = info;
  const isLarger = maxPlayers > mostOfOldForm;
  const name = isLarger ? `${info.name} [${players}/${maxPlayers}]` : info.name;
  const shown = Math.min(players, isLarger ? mostOfOldForm - 1 : mostOfOldForm);
  const most = Math.min(maxPlayers, mostOfOldForm);
  const playing = Math.min(playingOf(info), shown);
  const about = [token, info.version, name, info.map, info.gameType, info.hasPassword ? 1 : 0];
  return Buffer.concat([head("inf3"), texts(...about, playing, most, shown, most), encodeTees(shown, playing, "")]);
}

function encodeExtended(info: TeeworldsInfo, token: number): Buffer {
  const about = [token, info.version, info.name, info.map, 1_234_567, 65_536, info.gameType, info.hasPassword ? 1 : 0];
  const figures = [playingOf(info), info.maxPlayers, info.players, info.maxPlayers];
  return Buffer.concat([
    head("iext"),
    texts(...about, ...figures, ""),
    encodeTees(info.players, playingOf(info), "\0"),
  ]);
}

/** Encodes name, clan, country, score, and whether they play. */
function encodeTees(people: number, playing: number, rest: string): Buffer {
  const tees = Array.from({ length: people }, (_, at) => `Tee ${at}\0\0${-1}\0${at}\0${at < playing ? 1 : 0}\0${rest}`);
  return Buffer.from(tees.join(""));
}

function encode7(info: TeeworldsInfo, token: Buffer): Buffer {
  const { maxPlayers, players } = info;
  const numbers = (...values: number[]): Buffer => Buffer.concat(values.map(packNumber));
  const tees = Array.from({ length: players }, (_, at) =>
    Buffer.concat([texts(`Tee ${at}`, ""), numbers(-1, at, at < playingOf(info) ? 0 : 1)]),
  );
  return Buffer.concat([
    head("inf3"),
    token,
    texts(info.version, info.name, "", info.map, info.gameType),
    numbers(info.hasPassword ? 1 : 0, 1, playingOf(info), maxPlayers, players, maxPlayers),
    ...tees,
  ]);
}

/** Six bits and a sign in the first byte, seven in each further one. */
function packNumber(value: number): Buffer {
  const bits = value < 0 ? ~value : value;
  const bytes = [(bits & 0x3f) | (value < 0 ? 0x40 : 0)];
  for (let rest = bits >>> 6; rest > 0; rest >>>= 7) {
    bytes.push((bytes.pop() ?? 0) | 0x80, rest & 0x7f);
  }
  return Buffer.from(bytes);
}
