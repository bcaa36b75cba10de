/** Whose a data folder is: what a demo writes into its own, and refuses to touch. */
import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { type Config, DEMO_DATA_DIR } from "#config";
import { StartError } from "../start-error.ts";

/** In the data folder of a demo, so that its secrets are not taken for those of a real site. */
export const DEMO_MARK = "demo";

/** What a site keeps in its folder. */
const OF_A_SITE = ["postgres", "secrets", "buckets"];

/**
 * Refuses the demo on a folder that may be a real site's, before anything is written there: every folder with something of a
 * site in it that no demo has marked. Its database is not asked, for that would have to be started.
 * @throws {StartError}
 */
export function admitFolder({ demo, dataDir }: Pick<Config, "demo" | "dataDir">): void {
  if (!demo || existsSync(path.join(dataDir, DEMO_MARK))) return;
  if (!OF_A_SITE.some((name) => existsSync(path.join(dataDir, name)))) return;
  throw new StartError(
    `The demo does not touch a real site, and ${dataDir} holds one's database, secrets or pictures. Unset DATA_DIR, and the demo makes ${DEMO_DATA_DIR}; or set DATA_DIR to an empty folder.`,
  );
}

/** Marks the folder as a demo's: before its database is made, so that a demo that was ended meanwhile starts again. */
export async function markDemoFolder(dataDir: string): Promise<void> {
  const text = "This folder is the demo's. Nothing in it is worth keeping.\n";
  await writeFile(path.join(dataDir, DEMO_MARK), text, { mode: 0o600 });
}

/** Takes the mark away from a folder that a real site has come to. */
export async function unmarkDemoFolder(dataDir: string): Promise<void> {
  await rm(path.join(dataDir, DEMO_MARK), { force: true });
}
