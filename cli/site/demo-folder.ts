/** Marks the data folders of demos, and refuses to touch others. */
import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { type Config, DEMO_DATA_DIR } from "#config";
import { StartError } from "../start-error.ts";

/** File in a demo's data folder, so that its secrets aren't taken for a real site's. */
export const DEMO_MARK = "demo";

/** Contents of a site's folder. */
const OF_A_SITE = ["postgres", "secrets", "buckets"];

/**
 * Refuses the demo on a folder that may be a real site's, before anything is written: any unmarked folder with parts of a site.
 * Doesn't check its database, which would have to be started.
 * @throws {StartError}
 */
export function admitFolder({ demo, dataDir }: Pick<Config, "demo" | "dataDir">): void {
  if (!demo || existsSync(path.join(dataDir, DEMO_MARK))) return;
  if (!OF_A_SITE.some((name) => existsSync(path.join(dataDir, name)))) return;
  throw new StartError(
    `The demo does not touch a real site, and ${dataDir} holds one's database, secrets or pictures. Unset DATA_DIR, and the demo makes ${DEMO_DATA_DIR}; or set DATA_DIR to an empty folder.`,
  );
}

/** Marks the folder as a demo's: before its database is created, so that an interrupted demo can start again. */
export async function markDemoFolder(dataDir: string): Promise<void> {
  const text = "This folder is the demo's. Nothing in it is worth keeping.\n";
  await writeFile(path.join(dataDir, DEMO_MARK), text, { mode: 0o600 });
}

/** Removes the mark from a folder that a real site now uses. */
export async function unmarkDemoFolder(dataDir: string): Promise<void> {
  await rm(path.join(dataDir, DEMO_MARK), { force: true });
}
