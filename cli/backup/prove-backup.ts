/** Proves a backup: restores it into a temporary database, compares it, and drops the database. */
import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import path from "node:path";
import type { Config } from "#config";
import { connectDatabase } from "#db/client.ts";
import { startEmbeddedPostgres } from "#db/postgres/embedded-postgres.ts";
import { EmbeddedPostgresError } from "#db/postgres/embedded-postgres-error.ts";
import { clearPostgresLeftovers } from "#db/postgres/leftovers.ts";
import type { Log } from "../process/log.ts";
import { lockDataFolder } from "../site/data-folder-lock.ts";
import { loadRows } from "./load-rows.ts";
import type { CheckedBackup } from "./read-backup-file.ts";

/**
 * Restores all rows of a checked backup, migrates them to this version, and removes everything. The temporary database is an
 * embedded Postgres in the data folder; if that can't run, a database on the site's server.
 * @throws {BackupFileError} if the restored rows differ.
 */
export async function proveBackup(
  backup: CheckedBackup,
  config: Pick<Config, "dataDir" | "databaseUrl" | "postgresBin">,
  log: Log,
  signal?: AbortSignal,
): Promise<void> {
  await withScratchDatabase(config, log, async (databaseUrl) => {
    const database = await loadRows(backup, databaseUrl, { endSessions: false, signal });
    await database.close();
  });
}

async function withScratchDatabase(
  config: Pick<Config, "dataDir" | "databaseUrl" | "postgresBin">,
  log: Log,
  work: (databaseUrl: string) => Promise<void>,
): Promise<void> {
  const folder = path.join(config.dataDir, "proving");
  const lock = lockDataFolder(folder);
  try {
    await clearScratch(folder, log);
    const postgres = await startEmbeddedPostgres({
      dataDir: folder,
      bin: config.postgresBin,
      log,
      // A temporary database needn't survive a power cut.
      settings: { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "5" },
    }).catch((error: unknown) => {
      if (error instanceof EmbeddedPostgresError && config.databaseUrl) return null;
      throw error;
    });
    if (postgres === null) return await withDatabaseOfItsOwn(config.databaseUrl ?? "", work);
    try {
      await work(postgres.url);
    } finally {
      await postgres.stop(true);
      await rm(path.join(folder, "postgres"), { recursive: true, force: true, maxRetries: 3 });
    }
  } finally {
    lock.release();
  }
}

/** Removes what a killed proof has left. */
async function clearScratch(folder: string, log: Log): Promise<void> {
  const cluster = path.join(folder, "postgres");
  // Without a cluster nothing has to be stopped.
  await clearPostgresLeftovers(cluster, cluster, log).catch(() => {});
  await rm(cluster, { recursive: true, force: true, maxRetries: 3 });
}

async function withDatabaseOfItsOwn(databaseUrl: string, work: (databaseUrl: string) => Promise<void>): Promise<void> {
  const { sql, close } = connectDatabase({ databaseUrl }, { max: 1, applicationName: "spawnpoint backup" });
  const name = `spawnpoint_proof_${randomBytes(8).toString("hex")}`;
  try {
    await sql.unsafe(`CREATE DATABASE ${name}`);
    const url = new URL(databaseUrl);
    url.pathname = `/${name}`;
    try {
      await work(url.href);
    } finally {
      await sql.unsafe(`DROP DATABASE ${name} WITH (FORCE)`);
    }
  } finally {
    await close();
  }
}
