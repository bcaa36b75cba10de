/** Connects to the site's database, whether the site runs or not. */
import { existsSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "#config";
import { startEmbeddedPostgres } from "#db/postgres/embedded-postgres.ts";
import { findRunningPostgres } from "#db/postgres/running.ts";
import type { Log } from "../process/log.ts";
import { lockDataFolder } from "../site/data-folder-lock.ts";
import { StartError } from "../start-error.ts";

/** How long a site that just started may need for its Postgres. */
const STARTING_MS = 15_000;

/**
 * Calls `work` with the database's address: DATABASE_URL, the Postgres of a running site in the data folder, or one started for the
 * work, with the folder locked.
 * @throws {StartError} if the data folder has no site.
 */
export async function withSiteDatabase<T>(
  config: Pick<Config, "dataDir" | "databaseUrl" | "postgresBin">,
  log: Log,
  work: (databaseUrl: string) => Promise<T>,
): Promise<T> {
  if (config.databaseUrl) return work(config.databaseUrl);
  if (!existsSync(path.join(config.dataDir, "postgres", "PG_VERSION"))) {
    throw new StartError(`There is no site in ${config.dataDir}. Set DATA_DIR or DATABASE_URL to that of the site.`);
  }
  const lock = tryLock(config.dataDir);
  if (lock === null) {
    const deadline = performance.now() + STARTING_MS;
    for (;;) {
      const running = await findRunningPostgres(config.dataDir);
      if (running !== null) return work(running);
      if (performance.now() > deadline) {
        throw new StartError(`A process of Spawnpoint holds ${config.dataDir}, but its database is not to be reached.`);
      }
      await pause(100);
    }
  }
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, bin: config.postgresBin, log });
    try {
      return await work(postgres.url);
    } finally {
      await postgres.stop();
    }
  } finally {
    lock.release();
  }
}

/** Null: a site is running on it. */
function tryLock(dataDir: string): { release(): void } | null {
  try {
    return lockDataFolder(dataDir);
  } catch (error) {
    if (error instanceof StartError && error.message.includes("already runs")) return null;
    throw error;
  }
}
