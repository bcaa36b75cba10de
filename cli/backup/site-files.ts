/** Reads and writes a site's files outside the database: buckets, and secrets of the data folder. */
import { createHmac } from "node:crypto";
import { lstat, mkdir, open, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { BUCKETS } from "#domain/media/buckets.ts";
import { typeOfFile } from "#domain/media/files.ts";
import type { ObjectStorage } from "#outside/object-storage.ts";
import { fileName, SECRET_NAME, secretName } from "./backup-shape.ts";
import { BackupFileError } from "./tar-entries.ts";

const MOST_SECRET_BYTES = 10_000;

/** Yields every file of every bucket. Skips files removed meanwhile: the database decides what belongs. */
export async function* listSiteFiles(storage: ObjectStorage): AsyncGenerator<{ name: string; bytes: Buffer }> {
  for await (const { bucket, key } of listSiteFileNames(storage)) {
    const bytes = await storage.find(bucket, key);
    if (bytes !== null) yield { name: fileName(bucket, key), bytes };
  }
}

/** Restores a file. @throws {StorageError} */
export function putSiteFile(storage: ObjectStorage, bucket: string, key: string, bytes: Buffer): Promise<void> {
  const cacheControl = BUCKETS.find(({ name }) => name === bucket)?.cacheControl ?? "no-store";
  return storage.put(bucket, key, bytes, { type: typeOfFile(key), cacheControl });
}

/** Lists the files in the buckets. @throws {StorageError} */
export async function* listSiteFileNames(storage: ObjectStorage): AsyncGenerator<{ bucket: string; key: string }> {
  for (const { name: bucket } of BUCKETS) {
    for await (const files of storage.list(bucket)) for (const { key } of files) yield { bucket, key };
  }
}

/** Yields the secrets of a data folder. Reads only plain files: a link could name any file of the machine. */
export async function* listSecrets(dataDir: string): AsyncGenerator<{ name: string; bytes: Buffer }> {
  const folder = path.join(dataDir, "secrets");
  for (const name of (await readdir(folder).catch(() => [])).toSorted()) {
    const file = path.join(folder, name);
    const found = await lstat(file);
    if (!found.isFile() || found.size > MOST_SECRET_BYTES || !SECRET_NAME.test(name)) continue;
    yield { name: secretName(name), bytes: await readFile(file) };
  }
}

/** Restores a secret, readable by its owner alone; doesn't overwrite an existing one. */
export async function putSecret(dataDir: string, name: string, bytes: Buffer): Promise<void> {
  if (!SECRET_NAME.test(name) || bytes.length > MOST_SECRET_BYTES) throw new BackupFileError("a secret makes no sense");
  const folder = path.join(dataDir, "secrets");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = await open(path.join(folder, name), "wx", 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Fingerprint to compare secrets without revealing them. */
export const checkOfSecret = (secret: string): string =>
  createHmac("sha256", secret).update("spawnpoint backup: is this the secret of that site?").digest("hex").slice(0, 32);
