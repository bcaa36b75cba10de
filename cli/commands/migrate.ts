/** `spawnpoint migrate`: migrates the tables. */

import { ConfigError, readConfig } from "#config";
import { connectDatabase } from "#db/client.ts";
import { listMissingMigrations, migrateDatabase } from "#db/migrate.ts";
import { takesAway } from "#db/migrations.ts";
import { seedDemoContent } from "#demo/demo-content.ts";
import { seedDemoTellings } from "#demo/demo-tellings.ts";
import type { SiteKind } from "#domain/site/identity.ts";
import { refuseUnfinishedRestore } from "../backup/unfinished-restore.ts";
import { createLog } from "../process/log.ts";
import { settleKind } from "../site/admit-site.ts";
import { waitForDatabase } from "../site/wait-for-database.ts";
import { StartError } from "../start-error.ts";
import { SUPERVISION } from "../update/replace-processes.ts";

/** In containers it often runs beside a database that is just starting. */
const WAITS_MS = 60_000;

/**
 * `--supervision N`: called by a running `spawnpoint start`, whose processes this version will replace one by one; N is that
 * start's protocol version. `--demo`: that of a demo.
 */
export async function run(args: string[]): Promise<number> {
  const config = readConfig();
  const supervision = args.includes("--supervision") ? Number(args[args.indexOf("--supervision") + 1]) : null;
  if (supervision !== null && supervision !== SUPERVISION) {
    throw new StartError("this version cannot take over from the one that runs: stop the site, then start it.");
  }
  const { databaseUrl, dataDir } = config;
  if (!databaseUrl)
    throw new ConfigError("DATABASE_URL must be set; `spawnpoint start` migrates its own Postgres itself");
  refuseUnfinishedRestore(dataDir);
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(name, () => stop.abort());
  const log = createLog(config, "migrate");
  if (!(await waitForDatabase(databaseUrl, log, { signal: stop.signal, limitMs: WAITS_MS, writes: true }))) return 0;
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.removeAllListeners(name);
  if (supervision !== null) await refuseWhatTakesAway(databaseUrl);
  await prepareDatabase(databaseUrl, { kind: args.includes("--demo") ? "demo" : "real", dataDir, databaseUrl });
  console.log("The tables are up to date.");
  return 0;
}

/** Refuses migrations that remove anything which processes of the former version still use. @throws {StartError} */
async function refuseWhatTakesAway(databaseUrl: string): Promise<void> {
  const taking = (await listMissingMigrations(databaseUrl)).filter(takesAway).map(({ name }) => name);
  if (taking.length === 0) return;
  throw new StartError(
    `${taking.join(", ")} takes away what the running version may still use: make a backup, stop the site, then start it.`,
  );
}

/**
 * Migrates the tables, marks their kind, and adds a demo's initial content; safe to repeat and to run twice at once.
 * @throws {StartError} if a site of the other kind was started on it meanwhile.
 */
export async function prepareDatabase(
  databaseUrl: string,
  site: { kind: SiteKind; dataDir: string; databaseUrl?: string | undefined },
): Promise<void> {
  await migrateDatabase(databaseUrl);
  const { db, close } = connectDatabase({ databaseUrl }, { max: 1, applicationName: "spawnpoint migrate" });
  try {
    // Comes first: content without a mark counts as a real site's.
    await settleKind(db, site.kind, site);
    // A real site has only what its operator adds.
    if (site.kind === "demo" && (await seedDemoContent(db))) await seedDemoTellings(db);
  } finally {
    await close();
  }
}
