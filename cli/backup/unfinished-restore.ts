/** Marks an unfinished restore: a site doesn't start on such a data folder. */
import { existsSync } from "node:fs";
import { mkdir, open, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { StartError } from "../start-error.ts";
import { typedCommand } from "../typed-command.ts";

/** Name of the mark in the data folder. */
export const UNFINISHED_RESTORE = "restore-unfinished";

/** Identifies the restore: `sha256` of the backup file, and the id stored in the restored database. */
export type RestoreMark = { sha256: string; restore_id: string };

/** @throws {StartError} */
export function refuseUnfinishedRestore(dataDir: string): void {
  if (!existsSync(path.join(dataDir, UNFINISHED_RESTORE))) return;
  throw new StartError(`A restore into ${dataDir} was not finished. Run it again: ${typedCommand("restore FILE")}`);
}

/** Reads the mark. Null: no restore was started here. `nameless`: one that had not written anything yet. */
export async function readRestoreMark(dataDir: string): Promise<RestoreMark | "nameless" | null> {
  const file = path.join(dataDir, UNFINISHED_RESTORE);
  if (!existsSync(file)) return null;
  const [, sha256, restore_id] = /^([0-9a-f]{64}) ([0-9a-f-]{36})\n$/.exec(await readFile(file, "utf8")) ?? [];
  return sha256 && restore_id ? { sha256, restore_id } : "nameless";
}

/** Claims the folder for this restore. */
export async function writeRestoreMark(dataDir: string, { sha256, restore_id }: RestoreMark): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const file = await open(path.join(dataDir, UNFINISHED_RESTORE), "w", 0o600);
  try {
    await file.writeFile(`${sha256} ${restore_id}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

export async function removeRestoreMark(dataDir: string): Promise<void> {
  await rm(path.join(dataDir, UNFINISHED_RESTORE), { force: true });
}
