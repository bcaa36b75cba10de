// Lists the files of a bucket: filtered by name, sorted, a page at a time.
import type { ObjectStorage, StoredFile } from "#outside/object-storage.ts";

export type StoredFilesQuery = {
  bucket: string;
  prefix: string;
  search: string;
  limit: number;
  offset: number;
  by: "name" | "changed_at";
  descending: boolean;
};

/** In a larger bucket only the first files are listed. */
const MOST_FILES = 100_000;

/** Lists the matching files. @throws {StorageError} */
export async function listStoredFiles(storage: ObjectStorage, query: StoredFilesQuery): Promise<StoredFile[]> {
  const found: StoredFile[] = [];
  for await (const files of storage.list(query.bucket)) {
    for (const file of files)
      if (file.key.startsWith(query.prefix) && file.key.includes(query.search)) found.push(file);
    if (found.length >= MOST_FILES) break;
  }
  const byName = (one: StoredFile, other: StoredFile) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0);
  const byTime = (one: StoredFile, other: StoredFile) => one.changed_at.getTime() - other.changed_at.getTime();
  found.sort(query.by === "name" ? byName : (one, other) => byTime(one, other) || byName(one, other));
  if (query.descending) found.reverse();
  return found.slice(query.offset, query.offset + query.limit);
}
