/** Reassembles A2S replies from several packets, within limits. */

const longestReply = 65_536;
const mostPackets = 64;
const mostReplies = 4;
const shortestPacket = 13;

/**
 * Collects packets that begin with FE FF FF FF. `add` returns the whole reply once it is complete, null while parts are
 * missing, and "malformed" for a compressed reply (never decompressed: 338 bytes can become a gigabyte) or one beyond
 * 64 KB, 64 packets or 4 replies at once.
 */
export class SplitReplies {
  readonly #repliesById = new Map<number, Buffer[]>();
  #bytesKept = 0;

  add(packet: Buffer): Buffer | null | "malformed" {
    if (packet.length < shortestPacket) return "malformed";
    const id = packet.readInt32LE(4);
    let packets = this.#repliesById.get(id);
    if (!packets) {
      if (this.#repliesById.size >= mostReplies) return "malformed";
      packets = [];
      this.#repliesById.set(id, packets);
    }
    if (packets.some((known) => known.equals(packet))) return null;
    this.#bytesKept += packet.length;
    packets.push(packet);
    if (this.#bytesKept > longestReply || packets.length > mostPackets) return "malformed";
    return join(packets, id);
  }
}

function join(packets: Buffer[], id: number): Buffer | null | "malformed" {
  const headerLength = packets.reduce((found, packet) => found || headerLengthByFirst(packet), 0);
  // In Source's numbering the highest bit of the id marks a compressed reply.
  if (headerLength === 0) return id < 0 && packets.some((packet) => packet[9] === 0) ? "malformed" : null;
  let total = 0;
  let missing = 0;
  const parts: (Buffer | undefined)[] = [];
  for (const packet of packets) {
    const { number, outOf } = numbering(packet, headerLength);
    if (total === 0) total = missing = outOf;
    if (outOf === 0 || outOf > mostPackets || outOf !== total || number >= total || parts[number]) return "malformed";
    parts[number] = packet.subarray(headerLength);
    missing--;
  }
  return missing > 0 ? null : Buffer.concat(parts.filter((part) => part !== undefined));
}

/**
 * Finds which engine numbers the packets by the place of FF FF FF FF in a reply's first packet: after 9 bytes for
 * GoldSrc, 10 for the Source of 2006, 12 for Source since. 0 if this is not a first packet.
 */
function headerLengthByFirst(packet: Buffer): number {
  if ((packet[8] ?? 0) >> 4 === 0 && packet.readInt32LE(9) === -1) return 9;
  if (packet[9] !== 0) return 0;
  if (packet.length >= 14 && packet.readInt32LE(10) === -1) return 10;
  return packet.length >= 16 && packet.readInt32LE(12) === -1 ? 12 : 0;
}

function numbering(packet: Buffer, headerLength: number): { number: number; outOf: number } {
  const byte = packet[8] ?? 0;
  return headerLength === 9 ? { number: byte >> 4, outOf: byte & 15 } : { number: packet[9] ?? 0, outOf: byte };
}
