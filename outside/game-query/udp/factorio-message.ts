/** Reads Factorio's message format: reassembles parts, within limits. */

/** A whole message, without the headers of its packets. */
export type Message = Buffer;

const FRAGMENTED = 0x40;
const LAST = 0x80;
/** Set in a message's number: a list of confirmed messages follows. */
const CONFIRMS = 0x8000;
/** With 500 mods it takes a third of this. */
const longestMessage = 65_536;
const mostParts = 160;

/** Collects the packets of one message, in any order, each once. */
export class MessageParts {
  readonly #parts = new Map<number, Buffer>();
  #bytes = 0;
  #last: number | null = null;

  /** Adds a packet of the message. */
  add(packet: Buffer): Message | "more" | "malformed" {
    const head = packet[0] ?? 0;
    if (!(head & FRAGMENTED)) return packet.length > longestMessage ? "malformed" : packet.subarray(1);
    const [place, start] = [packet[3], payloadAt(packet)];
    if (place === undefined || start > packet.length) return "malformed";
    if (!this.#parts.has(place)) {
      this.#parts.set(place, packet.subarray(start));
      this.#bytes += packet.length;
    }
    if (head & LAST) this.#last = place;
    if (this.#bytes > longestMessage || this.#parts.size > mostParts) return "malformed";
    if (this.#last === null || this.#parts.size <= this.#last) return "more";
    const parts = Array.from({ length: this.#last + 1 }, (_, number) => this.#parts.get(number));
    return parts.every((part) => part !== undefined) ? Buffer.concat(parts) : "malformed";
  }
}

/** After type, number and place of a part, and its confirmations. */
function payloadAt(packet: Buffer): number {
  const confirms = packet.length > 4 && (packet.readUInt16LE(1) & CONFIRMS) !== 0;
  return confirms ? 5 + 4 * (packet[4] ?? 0) : 4;
}

/** Reads sequentially; running over the end sets `failed` and yields zeros, so that a caller checks once. */
export class FactorioReader {
  failed = false;
  readonly #bytes: Message;
  #at = 0;

  constructor(bytes: Message) {
    this.#bytes = bytes;
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

  /** A whole number: one byte, or FF and four. */
  number(): number {
    const value = this.byte();
    if (value !== 0xff) return value;
    const start = this.#at;
    this.skip(4);
    return this.failed ? 0 : this.#bytes.readUInt32LE(start);
  }

  /** Its length in bytes, and UTF-8. */
  text(): string {
    const length = this.number();
    const start = this.#at;
    this.skip(length);
    return this.failed ? "" : this.#bytes.toString("utf8", start, this.#at);
  }

  /** Reads the announced number of entries, and returns it; stops at the end of the message. */
  list(readEntry: () => unknown): number {
    const entries = this.number();
    for (let entry = 0; entry < entries && !this.failed; entry++) readEntry();
    return entries;
  }
}
