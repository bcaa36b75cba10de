/** Reads a Minecraft server's mods, if Forge adds them to the status: three forms, by the game's age. */
import { cleanText } from "../answer.ts";
import { MOST_MODS } from "../details.ts";
import { isRecord } from "../shallow-json.ts";

const LONGEST_NAME = 60;
/** The platform of mods, not mods themselves; every server of its kind has it. */
const PLATFORM = new Set(["minecraft", "mcp", "fml", "forge", "neoforge", "java"]);
/** A packed list of this many characters holds some thousand mods. */
const LONGEST_PACKED = 65_536;
/** The most mods and channels that are read in a packed list. */
const MOST_ENTRIES = 4_096;

/** Reads the names, each once, in the order of the server; none if it doesn't send any. */
export function readMods(status: Record<string, unknown>): string[] {
  const { forgeData, modinfo } = status;
  const names = new Set<string>();
  const add = (told: unknown): void => {
    const name = typeof told === "string" ? cleanText(told, LONGEST_NAME) : null;
    if (name !== null && names.size < MOST_MODS && !PLATFORM.has(name.toLowerCase())) names.add(name);
  };
  // Minecraft 1.7 to 1.12.
  for (const mod of entriesOf(modinfo, "modList")) add(mod.modid);
  // From 1.13 on.
  for (const mod of entriesOf(forgeData, "mods")) add(mod.modId);
  // From 1.18 on the list above is empty, and this one is used.
  if (isRecord(forgeData) && typeof forgeData.d === "string") for (const name of readPacked(forgeData.d)) add(name);
  return [...names];
}

function entriesOf(value: unknown, name: string): Record<string, unknown>[] {
  const list = isRecord(value) ? value[name] : null;
  return Array.isArray(list) ? list.slice(0, MOST_ENTRIES).filter(isRecord) : [];
}

/** Reads the names of mods in a packed list, as far as it is readable. */
function readPacked(packed: string): string[] {
  const bytes = unpack(packed);
  if (bytes === null) return [];
  const names: string[] = [];
  const reader = new PackedReader(bytes);
  reader.skip(1);
  const mods = Math.min(reader.short(), MOST_ENTRIES);
  for (let mod = 0; mod < mods && !reader.failed; mod++) {
    const flags = reader.varInt();
    const name = reader.text();
    if (reader.failed) break;
    names.push(name);
    // A server-only mod has no version to compare.
    if ((flags & 1) === 0) reader.text();
    for (let channels = Math.min(flags >>> 1, MOST_ENTRIES); channels > 0 && !reader.failed; channels--) {
      reader.text();
      reader.text();
      reader.skip(1);
    }
  }
  return names;
}

/** Unpacks fifteen bits a character, lowest first; the first two characters are the number of bytes. Null: that number is wrong. */
function unpack(packed: string): Buffer | null {
  if (packed.length < 2 || packed.length > LONGEST_PACKED) return null;
  const size = (packed.charCodeAt(0) & 0x7fff) | ((packed.charCodeAt(1) & 0x7fff) << 15);
  if (size > Math.floor(((packed.length - 2) * 15) / 8)) return null;
  const bytes = Buffer.alloc(size);
  let bits = 0;
  let waiting = 0;
  let at = 0;
  for (let place = 2; place < packed.length && at < size; place++) {
    waiting |= (packed.charCodeAt(place) & 0x7fff) << bits;
    bits += 15;
    for (; bits >= 8 && at < size; bits -= 8) {
      bytes[at++] = waiting & 255;
      waiting >>>= 8;
    }
  }
  return bytes;
}

/** Reads sequentially; running over the end sets `failed` and yields nothing, so that a caller checks once. */
class PackedReader {
  failed = false;
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  skip(count: number): void {
    this.#at += count;
    if (this.#at > this.#bytes.length) this.failed = true;
  }

  short(): number {
    const at = this.#at;
    this.skip(2);
    return this.failed ? 0 : this.#bytes.readUInt16BE(at);
  }

  /** Reads seven bits a byte, lowest first, five bytes at most. */
  varInt(): number {
    let value = 0;
    for (let index = 0; index < 5; index++) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) break;
      value |= (byte & 127) << (index * 7);
      if (byte < 128) return value >>> 0;
    }
    this.failed = true;
    return 0;
  }

  text(): string {
    const length = this.varInt();
    const start = this.#at;
    this.skip(length);
    return this.failed ? "" : this.#bytes.toString("utf8", start, start + length);
  }
}
