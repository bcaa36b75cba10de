/** Runs the scheduled backup: once for the whole site, proves it at once, and removes the oldest. */
import { access, constants, lstat, mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import type { Config } from "#config";
import { LOCKS } from "#db/advisory-locks.ts";
import { connectDatabase, type Db } from "#db/client.ts";
import { createQueryable } from "#db/sql.ts";
import { isBackupDue, listProvenFiles, recordProof } from "#domain/site/backups.ts";
import type { Log } from "../process/log.ts";
import { StartError } from "../start-error.ts";
import { markProven, unmarkProven } from "./kept-backups.ts";
import { makeBackup } from "./make-backup.ts";
import { proveBackup } from "./prove-backup.ts";
import { openBackup } from "./read-backup-file.ts";
import { UNFINISHED } from "./write-backup-file.ts";

/**
 * Makes a backup if one is due and no other process is making it; returns the exit code. Any failure, also of the folder, is
 * recorded in the site's database: the next attempt is within the hour, not at once.
 */
export async function runScheduledBackup(config: Config, log: Log, signal: AbortSignal): Promise<number> {
  const { backups, databaseUrl } = config;
  if (!backups || !databaseUrl) throw new StartError("BACKUP_DIR and DATABASE_URL must be set for a scheduled backup.");
  const database = connectDatabase({ databaseUrl }, { max: 2, applicationName: "spawnpoint backup" });
  try {
    // The lock ends with its connection, and so with the process.
    const sql = createQueryable((await database.connect()).query);
    const [lock] = await sql<{ ours: boolean }[]>`SELECT pg_try_advisory_lock(${LOCKS.scheduledBackup}) AS ours`;
    if (!lock?.ours || !(await isBackupDue(database.db, backups.everyH))) return 0;
    const prefix = `spawnpoint-${new URL(config.siteUrl).host.replaceAll(/[^a-z0-9.-]/g, "-")}-`;
    const tidy = () => removeOldest(database.db, { ...backups, prefix }, log);
    const file = path.join(backups.dir, `${prefix}${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "")}.tar.zst`);
    const made = await makeBackup(config, databaseUrl, file, {
      scheduled: true,
      signal,
      async prepare() {
        await openFolder(backups.dir);
        await removeUnfinished(backups.dir, prefix);
        await tidy();
      },
    });
    log.info({ file, bytes: made.bytes, rows: made.rows, files: made.files }, "a backup was made");
    try {
      await prove(file, database.db, config, log, signal);
    } finally {
      await tidy();
    }
    return 0;
  } finally {
    await database.close(0);
  }
}

async function prove(file: string, db: Db, config: Config, log: Log, signal: AbortSignal): Promise<void> {
  const backup = await openBackup(file);
  const proof = { backup_id: backup.manifest.id, sha256: backup.sha256 };
  try {
    await proveBackup(backup, config, log, signal);
    await recordProof(db, { ...proof, error: null });
    await markProven(file, { sha256: proof.sha256, proven_at: new Date() });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const reason = error instanceof Error ? error.message : String(error);
    await recordProof(db, { ...proof, error: reason });
    throw error;
  } finally {
    await backup.close();
  }
}

/** @throws {StartError} */
async function openFolder(dir: string): Promise<void> {
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await access(dir, constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(
      `BACKUP_DIR ${dir} cannot be written to (${code}). A service or a container must be given it: docs/backup.md`,
    );
  }
}

/** Lists the files of this site's schedule, newest first; ignores all others in the folder. */
async function listOurs(dir: string, prefix: string, end: string): Promise<string[]> {
  const names = (await readdir(dir)).filter(
    (name) =>
      name.startsWith(prefix) && /^\d{8}T\d{6}Z\.tar\.zst/.test(name.slice(prefix.length)) && name.endsWith(end),
  );
  return names.toSorted().toReversed();
}

async function removeUnfinished(dir: string, prefix: string): Promise<void> {
  for (const name of await listOurs(dir, prefix, UNFINISHED)) await rm(path.join(dir, name), { force: true });
}

/**
 * Keeps the newest, and the newest proven one, however old: later ones may be invalid. A failed removal doesn't prevent a new
 * backup.
 */
async function removeOldest(
  db: Db,
  { dir, keep, prefix }: { dir: string; keep: number; prefix: string },
  log: Log,
): Promise<void> {
  try {
    const names = await listOurs(dir, prefix, ".tar.zst");
    const proven = await listProvenFiles(db);
    const lastProven = names.find((name) => proven.has(name));
    for (const name of names.slice(keep)) {
      const file = path.join(dir, name);
      if (name === lastProven || !(await lstat(file)).isFile()) continue;
      await rm(file);
      await unmarkProven(file);
      log.info({ file }, "an old backup was removed");
    }
  } catch (error) {
    log.error({ err: error }, "old backups could not be removed");
  }
}
