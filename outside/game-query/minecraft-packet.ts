/**
 * Builds and reads the packets of Minecraft's Server List Ping (https://minecraft.wiki/w/Java_Edition_protocol/Server_List_Ping).
 */

/** The limit of a whole status packet in bytes; the protocol itself would allow 2 MB. */
const longestPacket = 262_144;

const statusPacketId = 0;

/** "Any version": the server replies with its own. */
const anyProtocolVersion = -1;

/** Encodes a number in Minecraft's variable length: seven bits a byte, lowest first, at most five bytes. */
export function encodeVarInt(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value >>> 0;
  while (rest > 127) {
    bytes.push((rest & 127) | 128);
    rest >>>= 7;
  }
  bytes.push(rest);
  return Buffer.from(bytes);
}

/** Reads a number at `at`: "more" if bytes are missing, "malformed" if it has more than five bytes or is negative. */
export function readVarInt(bytes: Buffer, at: number): { value: number; end: number } | "more" | "malformed" {
  let value = 0;
  for (let index = 0; index < 5; index++) {
    const byte = bytes[at + index];
    if (byte === undefined) return "more";
    value |= (byte & 127) << (index * 7);
    if (byte < 128) return value < 0 || (index === 4 && byte > 7) ? "malformed" : { value, end: at + index + 1 };
  }
  return "malformed";
}

/** Encodes the handshake, with the host as the admin typed it (proxies choose by it), and the request for the status. */
export function encodeStatusRequest(host: string, port: number): Buffer {
  const hostBytes = Buffer.from(host.slice(0, 255), "utf8");
  const portBytes = Buffer.from([port >> 8, port & 255]);
  const handshake = Buffer.concat([
    Buffer.from([0]),
    encodeVarInt(anyProtocolVersion),
    encodeVarInt(hostBytes.length),
    hostBytes,
    portBytes,
    Buffer.from([1]),
  ]);
  return Buffer.concat([encodeVarInt(handshake.length), handshake, Buffer.from([1, 0])]);
}

/**
 * Collects a stream's chunks into its first packet: the text of a status response, "more", or "malformed". Checks the length before
 * buffering, and buffers nothing beyond it.
 */
export class StatusResponseReader {
  #chunks: Buffer[] = [];
  #received = 0;
  #needed = 0;

  add(chunk: Buffer): { json: string } | "more" | "malformed" {
    this.#chunks.push(this.#needed > 0 ? chunk.subarray(0, this.#needed - this.#received) : chunk);
    this.#received += chunk.length;
    if (this.#needed === 0) {
      const start = this.#chunks.length > 1 ? Buffer.concat(this.#chunks) : chunk;
      const length = readVarInt(start, 0);
      if (typeof length === "string") return length;
      const isOtherPacket = start.length > length.end && start[length.end] !== statusPacketId;
      if (isOtherPacket || length.value < 3 || length.value > longestPacket) return "malformed";
      this.#needed = length.end + length.value;
      this.#chunks = [start.subarray(0, this.#needed)];
    }
    return this.#received < this.#needed ? "more" : readStatusPacket(Buffer.concat(this.#chunks));
  }
}

function readStatusPacket(packet: Buffer): { json: string } | "malformed" {
  const length = readVarInt(packet, 0);
  if (typeof length === "string" || packet[length.end] !== statusPacketId) return "malformed";
  const textLength = readVarInt(packet, length.end + 1);
  if (typeof textLength === "string" || textLength.value > packet.length - textLength.end) return "malformed";
  return { json: packet.toString("utf8", textLength.end, textLength.end + textLength.value) };
}
