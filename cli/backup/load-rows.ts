/** Loads a checked backup into an empty database, and passes its other parts on. */

import type { Part } from "./backup-shape.ts";
import { type DatabaseIn, openDatabaseIn } from "./database-in.ts";
import type { CheckedBackup } from "./read-backup-file.ts";

/**
 * Loads and compares all rows; nothing is permanent before `commit`.
 * @param options.onFile receives each part that isn't rows
 * @throws {BackupFileError}
 */
export async function loadRows(
  backup: CheckedBackup,
  databaseUrl: string,
  options: {
    endSessions: boolean;
    signal?: AbortSignal | undefined;
    onFile?(part: Part, bytes: Buffer): Promise<void>;
  },
): Promise<Pick<DatabaseIn, "commit" | "close">> {
  const database = await openDatabaseIn(databaseUrl, backup.manifest, options.signal);
  try {
    for await (const { part, bytes } of backup.parts()) {
      options.signal?.throwIfAborted();
      if (part.kind === "rows") await database.addRows(part.table, bytes);
      else await options.onFile?.(part, bytes);
    }
    await database.finish(backup.summary, options);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
