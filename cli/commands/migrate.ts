/** `spawnpoint migrate`: brings the tables up to date. */

import { ConfigError, readConfig } from "#config";
import { connectDatabase } from "#db/client.ts";
import { migrateDatabase } from "#db/migrate.ts";
import { seedDemoContent } from "#demo/demo-content.ts";
import type { SiteKind } from "#domain/site/identity.ts";
import { refuseUnfinishedRestore } from "../backup/unfinished-restore.ts";
import { createLog } from "../process/log.ts";
import { settleKind } from "../site/admit-site.ts";
import { waitForDatabase } from "../site/wait-for-database.ts";

/** In a container it often runs beside a database that has just been started. */
const WAITS_MS = 60_000;

export async function run(): Promise<number> {
  const config = readConfig();
  const { databaseUrl, dataDir } = config;
  if (!databaseUrl)
    throw new ConfigError("DATABASE_URL must be set; `spawnpoint start` migrates its own Postgres itself");
  refuseUnfinishedRestore(dataDir);
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(name, () => stop.abort());
  const log = createLog(config, "migrate");
  if (!(await waitForDatabase(databaseUrl, log, { signal: stop.signal, limitMs: WAITS_MS, writes: true }))) return 0;
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.removeAllListeners(name);
  await prepareDatabase(databaseUrl, { kind: "real", dataDir, databaseUrl });
  console.log("The tables are up to date.");
  return 0;
}

/**
 * Tables, whose they are, and what a demo begins with; safe to repeat and to run twice at once.
 * @throws {StartError} when a site of the other kind was started on it meanwhile.
 */
export async function prepareDatabase(
  databaseUrl: string,
  site: { kind: SiteKind; dataDir: string; databaseUrl?: string | undefined },
): Promise<void> {
  await migrateDatabase(databaseUrl);
  const { db, close } = connectDatabase({ databaseUrl }, { max: 1, applicationName: "spawnpoint migrate" });
  try {
    // First of all: content without a mark is taken for a real site's.
    await settleKind(db, site.kind, site);
    // A real site shows what its operator chooses, and nothing before.
    if (site.kind === "demo") await seedDemoContent(db);
  } finally {
    await close();
  }
}
