/** The backup that nobody asked for: once for the whole site, proven at once, and the oldest taken away. */
import { lstat, mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import type { Config } from "#config";
import { connectDatabase } from "#db/client.ts";
import { isBackupDue, recordProof } from "#domain/backups.ts";
import type { Log } from "../log.ts";
import { StartError } from "../start-error.ts";
import { makeBackup } from "./make-backup.ts";
import { proveBackup } from "./prove-backup.ts";
import { openBackup } from "./read-backup-file.ts";
import { UNFINISHED } from "./write-backup-file.ts";

/** Names this lock among the advisory locks of the database. */
const LOCK = 5_773_110;

/** Makes a backup if it is due and no other process is at it; settles with the exit code. */
export async function runScheduledBackup(config: Config, log: Log, signal: AbortSignal): Promise<number> {
  const { backups, databaseUrl } = config;
  if (!backups || !databaseUrl) throw new StartError("BACKUP_DIR and DATABASE_URL must be set for a scheduled backup.");
  const database = connectDatabase({ databaseUrl }, { max: 1, applicationName: "spawnpoint backup" });
  try {
    // The lock ends with the connection, and the connection with us.
    const [lock] = await database.sql<{ ours: boolean }[]>`SELECT pg_try_advisory_lock(${LOCK}) AS ours`;
    if (!lock?.ours || !(await isBackupDue(database.db, backups.everyH))) return 0;
    await mkdir(backups.dir, { recursive: true, mode: 0o700 });
    const prefix = `spawnpoint-${new URL(config.siteUrl).host.replaceAll(/[^a-z0-9.-]/g, "-")}-`;
    await removeUnfinished(backups.dir, prefix);
    const file = path.join(backups.dir, `${prefix}${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "")}.tar.zst`);
    const made = await makeBackup(config, databaseUrl, file, { scheduled: true, signal });
    log.info({ file, bytes: made.bytes, rows: made.rows, files: made.files }, "a backup was made");
    const backup = await openBackup(file);
    const proof = { backup_id: backup.manifest.id, sha256: backup.sha256 };
    try {
      await proveBackup(backup, config, log, signal);
      await recordProof(database.db, { ...proof, error: null });
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const reason = error instanceof Error ? error.message : String(error);
      await recordProof(database.db, { ...proof, error: reason });
      throw error;
    } finally {
      await backup.close();
    }
    // Only now that the newest is known to be good.
    await removeOldest(backups.dir, prefix, backups.keep, log);
    return 0;
  } finally {
    await database.close();
  }
}

/** Names of files that this site's schedule made, the newest first; anything else in the folder is somebody else's. */
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

async function removeOldest(dir: string, prefix: string, keep: number, log: Log): Promise<void> {
  for (const name of (await listOurs(dir, prefix, ".tar.zst")).slice(keep)) {
    const file = path.join(dir, name);
    if (!(await lstat(file)).isFile()) continue;
    await rm(file);
    log.info({ file }, "an old backup was removed");
  }
}
