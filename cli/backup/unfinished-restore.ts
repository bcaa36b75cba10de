/** The mark of a restore that is under way, or was ended: on such a data folder no site starts. */
import { existsSync } from "node:fs";
import path from "node:path";
import { StartError } from "../start-error.ts";

/** Name of the mark in the data folder. */
export const UNFINISHED_RESTORE = "restore-unfinished";

/** @throws {StartError} */
export function refuseUnfinishedRestore(dataDir: string): void {
  if (!existsSync(path.join(dataDir, UNFINISHED_RESTORE))) return;
  throw new StartError(`A restore into ${dataDir} was not finished. Run it again: npm run spawnpoint -- restore FILE`);
}
