/** Reads a backup file, usually twice: the first pass checks everything before any use. */
import { createHash, hash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createZstdDecompress } from "node:zlib";
import {
  MANIFEST,
  type Manifest,
  type Part,
  partLimit,
  readManifest,
  readPartName,
  readSummary,
  SUMS,
  type Summary,
} from "./backup-shape.ts";
import { BackupFileError, readTarEntries } from "./tar-entries.ts";

export type CheckedBackup = {
  manifest: Manifest;
  summary: Summary;
  /** Of the whole file. */
  sha256: string;
  bytes: number;
  /** Its secrets by name. */
  secrets: Map<string, Buffer>;
  files: number;
  /** Reads it again; refuses changes since the check. @throws {BackupFileError} */
  parts(): AsyncGenerator<{ part: Part; bytes: Buffer }>;
  close(): Promise<void>;
};

const READ_BYTES = 256 * 1024;
/** Rows compress well, but not more than this: anything larger is meant to fill a disk. */
const MOST_UNPACKED = { times: 1000, plus: 64 * 1024 * 1024 };

/**
 * Opens a backup and checks everything: names, order, sizes, checksums and completeness.
 * @throws {BackupFileError} with the reason.
 */
export async function openBackup(file: string): Promise<CheckedBackup> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    throw new BackupFileError(error.code === "ENOENT" ? "there is no such file" : `it cannot be read (${error.code})`);
  });
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new BackupFileError("it is no file");
    return { ...(await check(handle, found.size)), close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function check(handle: FileHandle, size: number): Promise<Omit<CheckedBackup, "close">> {
  const whole = createHash("sha256");
  const sums = new Map<string, string>();
  const secrets = new Map<string, Buffer>();
  const order = createOrder();
  let manifest: Manifest | null = null;
  let summary: Summary | null = null;
  let files = 0;
  let listed: string | null = null;
  for await (const { name, bytes } of unpack(handle, size, whole)) {
    const part = readPartName(name);
    if (listed !== null || sums.has(name)) throw new BackupFileError(`${name} stands where it does not belong`);
    if (part.kind === "sums") {
      listed = bytes.toString("utf8");
      continue;
    }
    sums.set(name, hash("sha256", bytes));
    if (part.kind === "manifest") manifest = readManifest(bytes);
    if (manifest === null) throw new BackupFileError(`it does not begin with ${MANIFEST}`);
    order(part, manifest, name);
    if (part.kind === "summary") summary = readSummary(bytes, manifest);
    if (part.kind === "secret") secrets.set(part.name, Buffer.from(bytes));
    if (part.kind === "file") files += 1;
  }
  if (listed !== [...sums].map(([name, sum]) => `${sum}  ${name}\n`).join("")) {
    throw new BackupFileError(`its parts are not those that ${SUMS} lists: it is damaged`);
  }
  if (manifest === null || summary === null) throw new BackupFileError("it is not whole");
  return {
    manifest,
    summary,
    sha256: whole.digest("hex"),
    bytes: size,
    secrets,
    files,
    async *parts() {
      for await (const { name, bytes } of unpack(handle, size)) {
        const part = readPartName(name);
        if (part.kind === "sums") return;
        if (sums.get(name) !== hash("sha256", bytes))
          throw new BackupFileError(`${name} has changed since it was checked`);
        yield { part, bytes };
      }
    },
  };
}

/** Enforces the order: manifest, rows table by table, files, secrets, summary. */
function createOrder() {
  const RANKS = { manifest: 0, rows: 1, file: 2, secret: 3, summary: 4, sums: 5 };
  let rank = -1;
  let table = -1;
  let number = 0;
  return (part: Part, manifest: Manifest, name: string): void => {
    const misplaced = new BackupFileError(`${name} stands where it does not belong`);
    const now = RANKS[part.kind];
    if (now < rank || (now === rank && (part.kind === "manifest" || part.kind === "summary"))) throw misplaced;
    rank = now;
    if (part.kind !== "rows") return;
    const at = manifest.tables.findIndex((each) => each.name === part.table);
    number = at === table ? number + 1 : 1;
    if (at < 0 || at < table || part.number !== number) throw misplaced;
    table = at;
  };
}

/** Yields the unpacked bytes; any error in the compression means a damaged backup. */
async function* unpack(handle: FileHandle, size: number, whole?: ReturnType<typeof createHash>) {
  let unpacked = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      unpacked += chunk.length;
      const tooMuch = unpacked > MOST_UNPACKED.plus + MOST_UNPACKED.times * size;
      done(tooMuch ? new BackupFileError("it unpacks to far more than a backup would") : null, chunk);
    },
  });
  const unpacker = createZstdDecompress();
  // May report a cut file late; that file has been refused by then.
  unpacker.on("error", () => {});
  const done = pipeline(readAll(handle, whole), unpacker, counted);
  // Its failure arrives through the last stream.
  done.catch(() => {});
  try {
    yield* readTarEntries(counted, { limitOf: partLimit });
    await done;
    // The unpacker silently ignores trailing bytes.
    if (unpacker.bytesWritten !== size) throw new BackupFileError("there is something behind its end");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (typeof code === "string" && /^(ZSTD_|ERR_|Z_)/.test(code))
      throw new BackupFileError("it is damaged or cut short");
    throw error;
  } finally {
    counted.destroy();
  }
}

/** Reads the same file from its beginning, repeatedly: a stream would close it. */
async function* readAll(handle: FileHandle, whole: ReturnType<typeof createHash> | undefined): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    const chunk = buffer.subarray(0, bytesRead);
    whole?.update(chunk);
    yield chunk;
  }
}
