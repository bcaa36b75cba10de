/** Reads the replies of Valve's A2S protocol (https://developer.valvesoftware.com/wiki/Server_queries). */

import { countInKeywords, valheimVersionIn } from "./a2s-keywords.ts";
import { cleanCount, cleanText, type GameAnswer } from "./answer.ts";
import { MOST_NAMES } from "./details.ts";

/** Steam allows names of 32 characters. */
const LONGEST_NAME = 32;

/** Reads a reply sequentially; running over its end sets `failed` and yields zeros, so that a caller checks once. */
class ReplyReader {
  failed = false;
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    const value = this.#bytes[this.#at++];
    if (value === undefined) this.failed = true;
    return value ?? 0;
  }

  skip(count: number): void {
    this.#at += count;
    if (this.#at > this.#bytes.length) this.failed = true;
  }

  /** Reads the bytes before the next zero byte, as UTF-8. */
  text(): string {
    const end = this.#bytes.indexOf(0, this.#at);
    if (end === -1) {
      this.failed = true;
      return "";
    }
    const text = this.#bytes.toString("utf8", this.#at, end);
    this.#at = end + 1;
    return text;
  }

  skipText(): void {
    const end = this.#bytes.indexOf(0, this.#at);
    if (end === -1) this.failed = true;
    else this.#at = end + 1;
  }
}

/** The Ship inserts three bytes of its own before the version. */
const theShip = 2400;

/** A parsed A2S_INFO reply; `appId` is the game's on Steam, 0 if missing. */
export type InfoReply = { answer: GameAnswer; appId: number };

/** Reads an A2S_INFO reply (header FF FF FF FF 49 included); null if truncated. */
export function readInfoReply(reply: Buffer): InfoReply | null {
  const reader = new ReplyReader(reply, 6);
  const name = reader.text();
  const map = reader.text();
  const folder = reader.text();
  reader.skipText();
  const shortAppId = reader.byte() | (reader.byte() << 8);
  const playersByte = reader.byte();
  const maxByte = reader.byte();
  const bots = reader.byte();
  // Before it are the server's type and system, after it Valve's anti-cheat flag.
  reader.skip(2);
  const passwordProtected = reader.byte() !== 0;
  reader.skip(shortAppId === theShip ? 4 : 1);
  const version = reader.text();
  if (reader.failed) return null;
  const { keywords, wholeAppId } = readExtra(reader);
  const appId = wholeAppId ?? shortAppId;
  const players = countInKeywords(keywords, "cp", playersByte, appId);
  const answer = {
    // Bots are part of the count, unless there are more of them than "players": then they cannot be.
    players: cleanCount(bots <= players ? players - bots : players),
    bots: cleanCount(bots),
    maxPlayers: cleanCount(countInKeywords(keywords, "mp", maxByte, appId)),
    version: cleanText((folder === "valheim" ? valheimVersionIn(keywords) : null) ?? version),
    name: cleanText(name),
    map: cleanText(map),
    passwordProtected,
  };
  return { answer, appId };
}

/** The fields after the version, as far as they are complete: a wrong one costs only those after it. */
type Extra = { gamePort: number | null; keywords: string; wholeAppId: number | null };

function readExtra(reader: ReplyReader): Extra {
  const extra: Extra = { gamePort: null, keywords: "", wholeAppId: null };
  const flags = reader.atEnd ? 0 : reader.byte();
  if (flags & 0x80) {
    const gamePort = reader.byte() | (reader.byte() << 8);
    if (gamePort > 0 && !reader.failed) extra.gamePort = gamePort;
  }
  // The Steam id, and the port and name of a spectator's server.
  if (flags & 0x10) reader.skip(8);
  if (flags & 0x40) {
    reader.skip(2);
    reader.skipText();
  }
  if (flags & 0x20) {
    const keywords = reader.text();
    if (!reader.failed) extra.keywords = keywords;
  }
  // The reply's header has room for 16 bits of the app id; all 24 are the low part of the 64-bit id of the game.
  if (flags & 0x01) {
    const appId = reader.byte() | (reader.byte() << 8) | (reader.byte() << 16);
    reader.skip(5);
    if (!reader.failed && appId !== 0) extra.wholeAppId = appId;
  }
  return extra;
}

/** Further facts of a reply: the game (folder, full name, app id), and the port that players type. */
export type A2sAbout = {
  folder: string | null;
  game: string | null;
  gamePort: number | null;
  steamAppId: number | null;
};

/** Reads these facts of an A2S_INFO reply; null if truncated. */
export function readAbout(reply: Buffer): A2sAbout | null {
  const reader = new ReplyReader(reply, 6);
  reader.skipText();
  reader.skipText();
  const folder = cleanText(reader.text(), 40);
  const game = cleanText(reader.text(), 60);
  const appId = reader.byte() | (reader.byte() << 8);
  reader.skip(appId === theShip ? 10 : 7);
  reader.skipText();
  if (reader.failed) return null;
  const { gamePort, wholeAppId } = readExtra(reader);
  return { folder, game, gamePort, steamAppId: wholeAppId ?? (appId === 0 ? null : appId) };
}

/**
 * Counts the entries of an A2S_PLAYER reply (header FF FF FF FF 44 included); null if truncated. Counts the list itself, because
 * the byte before it wraps at 256; ignores data that some games add after the list.
 */
export function countPlayerList(reply: Buffer): number | null {
  const reader = new ReplyReader(reply, 5);
  const announced = reader.byte();
  if (reader.failed) return null;
  let listed = 0;
  while (!reader.atEnd) {
    reader.skip(1);
    reader.skipText();
    reader.skip(8);
    if (reader.failed) break;
    listed++;
  }
  if (listed < announced) return null;
  return cleanCount(listed % 256 === announced ? listed : announced);
}

/** Reads the names of an A2S_PLAYER reply, cleaned, each once: joining players have no name yet, and many games send none. */
export function readPlayerNames(reply: Buffer): string[] {
  const reader = new ReplyReader(reply, 6);
  const names = new Set<string>();
  while (!reader.atEnd && names.size < MOST_NAMES) {
    reader.skip(1);
    const name = cleanText(reader.text(), LONGEST_NAME);
    reader.skip(8);
    if (reader.failed) break;
    if (name !== null) names.add(name);
  }
  return [...names];
}

/** Reads the rules of an A2S_RULES reply (header FF FF FF FF 45 included) by their names; null if truncated. */
export function readRules(reply: Buffer): Map<string, string> | null {
  const reader = new ReplyReader(reply, 5);
  const announced = reader.byte() | (reader.byte() << 8);
  const rules = new Map<string, string>();
  // Many games cut off a list that is too long for a packet: complete entries count.
  for (let rule = 0; rule < announced && !reader.atEnd; rule++) {
    const name = reader.text();
    const value = reader.text();
    if (reader.failed) break;
    rules.set(name, value);
  }
  return rules.size === 0 ? null : rules;
}
