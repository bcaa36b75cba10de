/** Makes a backup of a site: a snapshot of its database, its buckets, its secrets, and what is needed to read them. */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import path from "node:path";
import type { Config } from "#config";
import { connectDatabase } from "#db/client.ts";
import { type MadeBackup, recordBackup } from "#domain/site/backups.ts";
import { createObjectStorage } from "#outside/object-storage.ts";
import packageJson from "../../package.json" with { type: "json" };
import { MANIFEST, newManifest, rowsName, SUMMARY } from "./backup-shape.ts";
import { openDatabaseOut } from "./database-out.ts";
import { checkOfSecret, listSecrets, listSiteFiles } from "./site-files.ts";
import { secretOfSite } from "./site-secret.ts";
import { refuseUnfinishedRestore } from "./unfinished-restore.ts";
import { BackupNameError, createBackupFile } from "./write-backup-file.ts";

export type BackupMade = {
  bytes: number;
  sha256: string;
  rows: number;
  files: number;
  made_at: string;
  leftOut: string[];
};

const asJson = (value: unknown) => Buffer.from(`${JSON.stringify(value, null, 1)}\n`);

/**
 * Writes the file (mode 0600, under another name until complete), and records the attempt in the site's database. An unusable typed
 * name isn't an attempt.
 * @param options.prepare runs before; its failure fails the backup
 * @throws {BackupFileError} if the file exists or the database isn't a site's; {StartError} if the secret isn't the site's;
 * {StorageError} if a bucket can't be read: a backup needs its files. Leaves nothing behind then.
 */
export async function makeBackup(
  config: Pick<Config, "dataDir" | "s3" | "authSecret">,
  databaseUrl: string,
  file: string,
  { scheduled, signal, prepare }: { scheduled: boolean; signal?: AbortSignal; prepare?: () => Promise<void> },
): Promise<BackupMade> {
  const about = {
    backup_id: randomUUID(),
    file_name: path.basename(file),
    machine: hostname(),
    scheduled,
    started_at: new Date(),
  };
  try {
    await prepare?.();
    const made = await write(config, databaseUrl, file, about.backup_id, signal);
    const { bytes, sha256, rows, files } = made;
    await remember(databaseUrl, { ...about, outcome: { bytes, sha256, row_count: rows, file_count: files } });
    return made;
  } catch (error) {
    // An abort needs no record.
    if (signal?.aborted) throw signal.reason;
    if (error instanceof BackupNameError && !scheduled) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    await remember(databaseUrl, { ...about, outcome: { error: reason } });
    throw error;
  }
}

async function write(
  config: Parameters<typeof makeBackup>[0],
  databaseUrl: string,
  file: string,
  id: string,
  signal: AbortSignal | undefined,
): Promise<BackupMade> {
  refuseUnfinishedRestore(config.dataDir);
  const storage = createObjectStorage(config);
  const secret_check = checkOfSecret(await secretOfSite(config, databaseUrl));
  const out = await createBackupFile(file);
  try {
    const { about, summary, leftOut } = await writeRows();
    let files = 0;
    // After the database: its files existed before, and later ones do no harm.
    for await (const { name, bytes } of listSiteFiles(storage)) {
      signal?.throwIfAborted();
      await out.add(name, bytes);
      files += 1;
    }
    for await (const { name, bytes } of listSecrets(config.dataDir)) await out.add(name, bytes);
    await out.add(SUMMARY, asJson(summary));
    const rows = summary.tables.reduce((sum, table) => sum + Number(table.rows), 0);
    return { ...(await out.finish()), rows, files, made_at: about.made_at, leftOut };
  } catch (error) {
    await out.abandon();
    throw error;
  }

  async function writeRows() {
    const database = await openDatabaseOut(databaseUrl, signal);
    try {
      const { about, leftOut } = database;
      await out.add(MANIFEST, asJson(newManifest({ id, software: packageJson.version, secret_check, ...about })));
      for (const table of about.tables) {
        let number = 0;
        for await (const part of database.rowsOf(table)) await out.add(rowsName(table.name, ++number), part);
      }
      return { about, leftOut, summary: await database.summarize() };
    } finally {
      await database.close();
    }
  }
}

/** A missing database, or one without the table of backups, doesn't fail the backup. */
async function remember(databaseUrl: string, backup: MadeBackup): Promise<void> {
  const { db, close } = connectDatabase({ databaseUrl }, { max: 1, applicationName: "spawnpoint backup" });
  try {
    await recordBackup(db, backup);
  } catch {
  } finally {
    await close();
  }
}
