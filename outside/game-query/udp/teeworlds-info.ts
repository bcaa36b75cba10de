/** Reads the information of Teeworlds and DDNet servers: 0.6 and DDNet all in texts, 0.7 in texts and packed numbers. */
import { answerWithoutFigures, cleanCount, cleanCountText, cleanText, type GameAnswer } from "../answer.ts";

/** The kind of a reply, by its header; `more`: further players of an earlier one, which are not needed. */
const FORMS = { inf3: "plain", iext: "extended", "iex+": "more", dtsf: "more" } as const;

/** Gets the kind of a reply whose payload begins at `at`; null: no server information. */
export function formAt(packet: Buffer, at: number): "plain" | "extended" | "more" | null {
  if (packet.length < at + 8 || packet.readUInt32BE(at) !== 0xffffffff) return null;
  const name = packet.toString("latin1", at + 4, at + 8);
  return Object.hasOwn(FORMS, name) ? FORMS[name as keyof typeof FORMS] : null;
}

/** Reads a reply sequentially; running over its end sets `failed` and yields nothing, so that a caller checks once. */
class InfoReader {
  failed = false;
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  /** Reads `count` texts, each up to its zero byte. */
  texts(count: number): string[] {
    const read: string[] = [];
    for (let left = count; left > 0 && !this.failed; left--) {
      const end = this.#bytes.indexOf(0, this.#at);
      this.failed = end === -1;
      if (this.failed) break;
      read.push(this.#bytes.toString("utf8", this.#at, end));
      this.#at = end + 1;
    }
    return read;
  }

  numbers(count: number): number[] {
    return Array.from({ length: count }, () => this.#number());
  }

  /** Reads six bits and a sign, and seven more bits for each byte that announces another. */
  #number(): number {
    let byte = this.#byte();
    const isNegative = (byte & 0x40) !== 0;
    let value = byte & 0x3f;
    for (let shift = 6; (byte & 0x80) !== 0 && shift <= 27; shift += 7) {
      byte = this.#byte();
      value |= (byte & 0x7f) << shift;
    }
    return isNegative ? ~value : value;
  }

  #byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) this.failed = true;
    return byte ?? 0;
  }
}

/** `token` is that of the query, and identifies the reply. */
type Told = { token: number; answer: GameAnswer };

/**
 * Reads a reply of 0.6, or an extended one of DDNet, whose payload begins at `at`; null if truncated. Counts spectators, too:
 * the figures are people, not slots in the game.
 */
export function readTexts(packet: Buffer, at: number, form: "plain" | "extended"): Told | null {
  const reader = new InfoReader(packet, at + 8);
  const [token, version, name = "", map] = reader.texts(4);
  // Sum and size of the map.
  if (form === "extended") reader.texts(2);
  const [, flags, , , people, most] = reader.texts(6);
  if (reader.failed) return null;
  const told = { players: cleanCountText(people), maxPlayers: cleanCountText(most), name };
  const { players, maxPlayers, name: shown } = (form === "plain" && figuresBehind(name)) || told;
  return {
    token: Number(token),
    answer: {
      ...answerWithoutFigures,
      players,
      maxPlayers,
      version: cleanText(version),
      name: cleanText(shown),
      map: cleanText(map),
      passwordProtected: /^\d{1,2}$/.test(flags ?? "") ? asksForPassword(Number(flags)) : null,
    },
  };
}

/** Checks the lowest of a server's flags. */
const asksForPassword = (flags: number): boolean => (flags & 1) !== 0;

const mostOfOldForm = 16;

/** The old form has room for 16; a larger server writes its true figures after its name: `Multeasymap [47/64]`. */
function figuresBehind(name: string): { players: number | null; maxPlayers: number | null; name: string } | null {
  const [, shown = "", players, most] = /^(.*) \[(\d{1,6})\/(\d{1,6})\]$/su.exec(name) ?? [];
  if (!(Number(most) > mostOfOldForm)) return null;
  return { players: cleanCountText(players), maxPlayers: cleanCountText(most), name: shown };
}

/** Reads a reply of 0.7 whose payload begins at `at`; null if truncated. */
export function readPacked(packet: Buffer, at: number): Told | null {
  const reader = new InfoReader(packet, at + 8);
  const [token = 0] = reader.numbers(1);
  const [version, name, , map] = reader.texts(5);
  // Flags, skill level, players, and the game's slots.
  const [flags = 0, , , , people, most] = reader.numbers(6);
  if (reader.failed) return null;
  return {
    token,
    answer: {
      ...answerWithoutFigures,
      players: cleanCount(people),
      maxPlayers: cleanCount(most),
      version: cleanText(version),
      name: cleanText(name),
      map: cleanText(map),
      passwordProtected: asksForPassword(flags),
    },
  };
}
