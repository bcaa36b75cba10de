/** Writes a backup file: a tar of parts, compressed by zstd, with the checksums of all parts at its end. */
import { createHash, hash } from "node:crypto";
import { once } from "node:events";
import { link, open, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress } from "node:zlib";
import { userName } from "../user-name.ts";
import { SUMS } from "./backup-shape.ts";
import { BackupFileError, TAR_END, tarEntry } from "./tar-entries.ts";

export type BackupFile = {
  /** Waits if the disk is slower. */
  add(name: string, bytes: Uint8Array): Promise<void>;
  /** Writes the checksums, and renames the file once all of it is on the disk. */
  finish(): Promise<{ bytes: number; sha256: string }>;
  /** Removes what was written; does nothing after `finish`. */
  abandon(): Promise<void>;
};

/** The name of a new backup is unusable: it exists, or its folder is missing or read-only. */
export class BackupNameError extends BackupFileError {}

/** Suffix of unfinished files. */
export const UNFINISHED = ".unfinished";

/**
 * Creates a file that only we can read (mode 0600). It has another name until `finish`: a file with this name is complete.
 * @throws {BackupNameError} if the file exists, or can't be created.
 */
export async function createBackupFile(file: string): Promise<BackupFile> {
  if (await exists(file)) throw new BackupNameError(`${file} exists already, and is not written over`);
  const unfinished = `${file}${UNFINISHED}`;
  const handle = await open(unfinished, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new BackupNameError(nameTrouble(unfinished, error));
  });
  const packed = createZstdCompress({
    params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
  });
  const whole = createHash("sha256");
  const sums: string[] = [];
  let bytes = 0;
  let finished = false;
  const written = pipeline(
    packed,
    async function* count(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        whole.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    },
    // Closes the file once it is on the disk.
    handle.createWriteStream({ flush: true }),
  );
  written.catch(() => {});

  async function write(part: Buffer): Promise<void> {
    if (packed.destroyed) await written;
    if (!packed.write(part)) await Promise.race([once(packed, "drain"), written]);
  }
  return {
    async add(name, content) {
      sums.push(`${hash("sha256", content)}  ${name}\n`);
      await write(tarEntry(name, content));
    },
    async finish() {
      await write(tarEntry(SUMS, Buffer.from(sums.join(""))));
      await write(TAR_END);
      packed.end();
      await written;
      await giveName(unfinished, file);
      finished = true;
      return { bytes, sha256: whole.digest("hex") };
    },
    async abandon() {
      if (finished) return;
      packed.destroy();
      await written.catch(() => {});
      await rm(unfinished, { force: true });
    },
  };
}

function nameTrouble(unfinished: string, { code, message }: NodeJS.ErrnoException): string {
  const folder = path.dirname(unfinished);
  if (code === "EEXIST") return `${unfinished} exists already: another backup is at it, or was ended. Remove it`;
  if (code === "ENOENT") return `${unfinished} cannot be made: the folder ${folder} is missing. Make it first`;
  if (code !== "EACCES") return `${unfinished} cannot be made (${code ?? message})`;
  return `${unfinished} cannot be made: ${userName()} may not write to ${folder}. Give it the folder: \`chown ${userName()} ${folder}\``;
}

/** Links instead of renaming, which would replace an existing file; not every disk supports links. */
async function giveName(unfinished: string, file: string): Promise<void> {
  try {
    await link(unfinished, file);
    await rm(unfinished);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST")
      throw new BackupNameError(`${file} exists: another program made it meanwhile, and it is not written over`);
    if (await exists(file)) throw error;
    await rename(unfinished, file);
  }
  const folder = await open(path.dirname(file), "r");
  await folder.sync().catch(() => {});
  await folder.close();
}

const exists = (file: string) =>
  stat(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== "ENOENT",
  );
