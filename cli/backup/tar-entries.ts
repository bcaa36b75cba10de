/**
 * Reads and writes the part of the tar format that a backup uses: plain files with short names. Our own, so that everything else is
 * refused unread: links, folders, long names, sparse files and so on.
 * The format: POSIX.1-1988 "ustar" (https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html).
 */

/** Not a valid backup: damaged, truncated, foreign or malicious. The message is one line. */
export class BackupFileError extends Error {
  override name = "BackupFileError";
}

const BLOCK = 512;
const LONGEST_NAME = 100;

/** Padding of a file to whole blocks. */
const paddingOf = (size: number) => (BLOCK - (size % BLOCK)) % BLOCK;

/** Builds a tar entry. @throws {RangeError} for a name that doesn't fit. */
export function tarEntry(name: string, bytes: Uint8Array): Buffer {
  if (Buffer.byteLength(name) > LONGEST_NAME) throw new RangeError(`"${name}" is too long a name for a backup`);
  const header = headerOf(name, bytes.byteLength);
  return Buffer.concat([header, bytes, Buffer.alloc(paddingOf(bytes.byteLength))]);
}

/** End of a tar. */
export const TAR_END = Buffer.alloc(2 * BLOCK);

/** Builds the same header for the same name and size: no other field can vary. */
function headerOf(name: string, size: number): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0);
  header.write("0000600\0", 100);
  header.write("0000000\0", 108);
  header.write("0000000\0", 116);
  header.write(`${size.toString(8).padStart(11, "0")}\0`, 124);
  header.write("00000000000\0", 136);
  header.write("        ", 148);
  header.write("0", 156);
  header.write("ustar\x0000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

/**
 * Yields the files of a tar from `tarEntry`, each whole in memory.
 * @param options.limitOf the most bytes of a file with this name; its size is checked before reading
 * @throws {BackupFileError} at the first deviation from our format
 */
export async function* readTarEntries(
  chunks: AsyncIterable<Buffer>,
  options: { limitOf(name: string): number },
): AsyncGenerator<{ name: string; bytes: Buffer }> {
  const source = takeFrom(chunks);
  for (;;) {
    const header = await source.take(BLOCK);
    if (header.every((byte) => byte === 0)) break;
    const { name, size } = readHeader(header);
    if (size > options.limitOf(name)) throw new BackupFileError(`${name} is larger than any part of a backup`);
    const bytes = await source.take(size);
    const padding = await source.take(paddingOf(size));
    if (padding.some((byte) => byte !== 0)) throw new BackupFileError(`there is something behind ${name}`);
    yield { name, bytes };
  }
  const rest = await source.take(BLOCK);
  if (rest.some((byte) => byte !== 0) || !(await source.isAtEnd())) {
    throw new BackupFileError("there is something behind its end");
  }
}

function readHeader(header: Buffer): { name: string; size: number } {
  const end = header.indexOf(0);
  const name = header.toString("latin1", 0, end > 0 && end <= LONGEST_NAME ? end : LONGEST_NAME);
  const octal = header.toString("latin1", 124, 135);
  if (!/^[0-7]{11}$/.test(octal) || !/^[\x21-\x7e]+$/.test(name)) {
    throw new BackupFileError("it is damaged, or no backup of Spawnpoint");
  }
  const size = Number.parseInt(octal, 8);
  if (!headerOf(name, size).equals(header)) {
    throw new BackupFileError(`${JSON.stringify(name)} is damaged, or not a plain file`);
  }
  return { name, size };
}

/** Reads exact numbers of bytes from chunks of any size. */
function takeFrom(chunks: AsyncIterable<Buffer>) {
  const iterator = chunks[Symbol.asyncIterator]();
  let waiting: Buffer[] = [];
  let length = 0;
  async function fill(size: number): Promise<boolean> {
    while (length < size) {
      const next = await iterator.next();
      if (next.done) return false;
      waiting.push(next.value);
      length += next.value.length;
    }
    return true;
  }
  return {
    async take(size: number): Promise<Buffer> {
      if (!(await fill(size))) throw new BackupFileError("it is cut short");
      const all = waiting.length === 1 && waiting[0] ? waiting[0] : Buffer.concat(waiting);
      waiting = [all.subarray(size)];
      length -= size;
      return all.subarray(0, size);
    },
    isAtEnd: async () => !(await fill(1)),
  };
}
