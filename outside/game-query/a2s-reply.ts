/** Reads the replies of Valve's A2S protocol (https://developer.valvesoftware.com/wiki/Server_queries). */
import { cleanCount, cleanText, type GameAnswer } from "./answer.ts";

/** Reads onwards through a reply; running over its end sets `failed` and yields zeros, so that a caller checks once. */
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

  /** The bytes before the next zero byte, as UTF-8. */
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

/** The Ship puts three bytes of its own before the version. */
const theShip = 2400;

/** Reads an A2S_INFO reply (header FF FF FF FF 49 included); null when it is cut short. */
export function readInfoReply(reply: Buffer): GameAnswer | null {
  const reader = new ReplyReader(reply, 6);
  const name = reader.text();
  const map = reader.text();
  const folder = reader.text();
  reader.skipText();
  const appId = reader.byte() | (reader.byte() << 8);
  const players = reader.byte();
  const maxPlayers = reader.byte();
  const bots = reader.byte();
  // What kind of server it is and what it runs on come before, whether Valve's guard is on after.
  reader.skip(2);
  const passwordProtected = reader.byte() !== 0;
  reader.skip(appId === theShip ? 4 : 1);
  const version = reader.text();
  if (reader.failed) return null;
  return {
    // Bots are part of the count, except where there are more of them than "players": then they cannot be.
    players: cleanCount(bots <= players ? players - bots : players),
    bots: cleanCount(bots),
    maxPlayers: cleanCount(maxPlayers),
    version: cleanText((folder === "valheim" ? readValheimVersion(reader) : null) ?? version),
    name: cleanText(name),
    map: cleanText(map),
    passwordProtected,
  };
}

/** What a reply tells beside the answer: which game it is (folder, full name, app id), and the port that players type. */
export type A2sAbout = {
  folder: string | null;
  game: string | null;
  gamePort: number | null;
  steamAppId: number | null;
};

/** Reads that much of an A2S_INFO reply; null when it is cut short. */
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
  const flags = reader.atEnd ? 0 : reader.byte();
  const gamePort = flags & 0x80 ? reader.byte() | (reader.byte() << 8) : 0;
  const tellsPort = gamePort > 0 && !reader.failed;
  const steamAppId = readWholeAppId(reader, flags) ?? (appId === 0 ? null : appId);
  return { folder, game, gamePort: tellsPort ? gamePort : null, steamAppId };
}

/** The head of a reply has room for 16 bits of the app id; all 24 are at the end of the extra data, if they are told. */
function readWholeAppId(reader: ReplyReader, flags: number): number | null {
  if (!(flags & 0x01)) return null;
  skipToKeywords(reader, flags);
  if (flags & 0x20) reader.skipText();
  const appId = reader.byte() | (reader.byte() << 8) | (reader.byte() << 16);
  reader.skip(5);
  return reader.failed || appId === 0 ? null : appId;
}

/** Behind the port of the extra data: the Steam id, and the port and name of a spectator's server, as the flags say. */
function skipToKeywords(reader: ReplyReader, flags: number): void {
  if (flags & 0x10) reader.skip(8);
  if (!(flags & 0x40)) return;
  reader.skip(2);
  reader.skipText();
}

/** Valheim always says version 1.0.0.0; the true one is in its keywords, as `0.203.11` or `g=0.220.5,n=34,m=…`. */
function readValheimVersion(reader: ReplyReader): string | null {
  const keywords = readKeywords(reader);
  return keywords === null ? null : (/^(?:g=)?(\d[\w.]*)/.exec(keywords)?.[1] ?? null);
}

/** The keywords from the extra data flag's fields: port, Steam id, spectator port and name stand before them. */
function readKeywords(reader: ReplyReader): string | null {
  if (reader.atEnd) return null;
  const flags = reader.byte();
  if (flags & 0x80) reader.skip(2);
  skipToKeywords(reader, flags);
  if (!(flags & 0x20)) return null;
  const keywords = reader.text();
  return reader.failed ? null : keywords;
}

/**
 * Counts the entries of an A2S_PLAYER reply (header FF FF FF FF 44 included); null when it is cut short.
 * The list itself is counted, for the byte before it wraps at 256; what some games add behind the list is left out.
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
