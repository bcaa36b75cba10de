// Files of the landscapes: made from a master like those of an upload, on first request, and stored.
import { readFile } from "node:fs/promises";
import { findLandscapeById, type Landscape, masterOf } from "#content/landscapes/landscapes.ts";
import type { ObjectStorage, StorageError } from "#outside/object-storage.ts";
import { BANNER, keysOf, MEDIA_BUCKET, makeFile, readMediaName, storeFiles, unlessStoreFails } from "./files.ts";
import { decodeImage } from "./image-decoder.ts";

type OnStorageError = (error: StorageError) => void;

const making = new Map<string, Promise<Buffer | null>>();
let last: Promise<unknown> = Promise.resolve();

/** The landscape for a file of this name; null if none is possible. */
export function landscapeOfFile(name: string): Landscape | null {
  const id = readMediaName(name)?.id;
  return id && keysOf(id, BANNER).includes(name) ? findLandscapeById(id) : null;
}

/**
 * Finds or creates the file of this name. If the storage fails, reported to `onStorageError`, creates it all the same. Null: too
 * many pictures are being decoded.
 */
export async function findLandscapeFile(
  storage: ObjectStorage,
  landscape: Landscape,
  key: string,
  onStorageError: OnStorageError,
): Promise<Buffer | null> {
  const stored = await unlessStoreFails(onStorageError, () => storage.find(MEDIA_BUCKET, key));
  if (stored) return stored;
  let made = making.get(key);
  if (!made) {
    // One at a time, so that a page of them leaves room for other work.
    made = last.then(() => makeLandscapeFile(storage, landscape, key, onStorageError));
    making.set(key, made);
    last = made.catch(() => undefined).finally(() => making.delete(key));
  }
  return made;
}

async function makeLandscapeFile(
  storage: ObjectStorage,
  landscape: Landscape,
  key: string,
  onStorageError: OnStorageError,
): Promise<Buffer | null> {
  const made = await decodeImage(await readFile(masterOf(landscape)), (open) => makeFile(open, BANNER, key));
  if (!("key" in made)) {
    if (made.reason === "busy") return null;
    throw new Error(`the landscape ${landscape.name} cannot be read: ${made.reason}`);
  }
  await storeFiles(storage, [made], onStorageError);
  return made.bytes;
}
