/** Restores a backup into an empty place: all of it, or nothing. */
import { existsSync } from "node:fs";
import { mkdir, open, readdir, rm } from "node:fs/promises";
import path from "node:path";
import type { Config } from "#config";
import { startEmbeddedPostgres } from "#db/embedded-postgres.ts";
import { clearPostgresLeftovers } from "#db/postgres-leftovers.ts";
import { createObjectStorage, type ObjectStorage } from "#outside/object-storage.ts";
import { lockDataFolder } from "../data-folder-lock.ts";
import type { Log } from "../log.ts";
import type { Part } from "./backup-shape.ts";
import { requireEmptyDatabase, requireKnownLevel } from "./database-in.ts";
import { loadRows } from "./load-rows.ts";
import type { CheckedBackup } from "./read-backup-file.ts";
import { checkOfSecret, hasSiteFiles, putSecret, putSiteFile } from "./site-files.ts";
import { BackupFileError } from "./tar-entries.ts";
import { UNFINISHED_RESTORE } from "./unfinished-restore.ts";

/** What a restore writes, so what an unfinished one has left. */
const OURS = ["postgres", "postgres.unfinished", "secrets", "buckets"];
/** These say nothing of a site: who holds the folder, and what backups and mails were put there. */
const HARMLESS = ["lock.sqlite", "lock.sqlite-journal", "holder.json", "backups", "outbox", "proving", "lost+found"];

type Place = Pick<Config, "dataDir" | "databaseUrl" | "s3" | "authSecret">;

/**
 * Puts a checked backup into an empty data folder and an empty database: the one of DATABASE_URL, or a new embedded one.
 * Killed half-way it leaves a mark in the data folder: the site does not start on it, and the next restore begins anew.
 * @param signal takes everything back and ends it
 * @throws {BackupFileError} when the place is not empty or the backup is not for this version or secret; nothing of the
 *   backup is left there then.
 */
export async function restoreBackup(
  backup: CheckedBackup,
  place: Place,
  log: Log,
  signal?: AbortSignal,
): Promise<void> {
  requireKnownLevel(backup.manifest);
  requireSecret(backup, place);
  const lock = lockDataFolder(place.dataDir);
  try {
    const storage = createObjectStorage(place);
    if (existsSync(path.join(place.dataDir, UNFINISHED_RESTORE))) {
      if (place.databaseUrl) await requireEmptyDatabase(place.databaseUrl);
      await clear(place, log);
    }
    await requireEmptyPlace(place, storage);
    await mark(place.dataDir);
    try {
      await fill(backup, place, storage, log, signal);
    } catch (error) {
      await clear(place, log);
      throw error;
    }
    await rm(path.join(place.dataDir, UNFINISHED_RESTORE));
  } finally {
    lock.release();
  }
}

async function fill(
  backup: CheckedBackup,
  place: Place,
  storage: ObjectStorage,
  log: Log,
  signal: AbortSignal | undefined,
): Promise<void> {
  const postgres = place.databaseUrl ? null : await startEmbeddedPostgres({ dataDir: place.dataDir, log });
  const put: [bucket: string, key: string][] = [];
  try {
    const database = await loadRows(backup, place.databaseUrl ?? postgres?.url ?? "", {
      endSessions: true,
      signal,
      async onFile(part: Part, bytes: Buffer) {
        if (part.kind === "secret") await putSecret(place.dataDir, part.name, bytes);
        if (part.kind !== "file") return;
        put.push([part.bucket, part.key]);
        await putSiteFile(storage, part.bucket, part.key, bytes);
      },
    });
    try {
      await database.commit();
    } finally {
      await database.close();
    }
  } catch (error) {
    // The data folder is cleared as a whole; a store elsewhere is not ours to clear but for what we have put there.
    if (place.s3) for (const [bucket, key] of put) await storage.remove(bucket, key).catch(() => {});
    throw error;
  } finally {
    await postgres?.stop();
  }
}

async function requireEmptyPlace(place: Place, storage: ObjectStorage): Promise<void> {
  const found = (await readdir(place.dataDir)).filter((name) => !HARMLESS.includes(name));
  if (found.length > 0) {
    throw new BackupFileError(
      `${place.dataDir} is not empty (${found.slice(0, 3).join(", ")}). A backup is restored into an empty folder alone: set another DATA_DIR`,
    );
  }
  if (place.databaseUrl) await requireEmptyDatabase(place.databaseUrl);
  if (place.s3 && (await hasSiteFiles(storage))) {
    throw new BackupFileError("the buckets are not empty. Set another S3_BUCKET_PREFIX, or empty them");
  }
}

/** Without the right secret nobody's second factor would be taken, and that would show only at the first sign-in. */
function requireSecret({ manifest, secrets }: CheckedBackup, { authSecret }: Place): void {
  const secret = authSecret ?? secrets.get("auth")?.toString("utf8").trim();
  if (secret !== undefined && checkOfSecret(secret) === manifest.secret_check) return;
  throw new BackupFileError(
    authSecret
      ? "AUTH_SECRET is not that of the site it was made of. Set that one, or none if the secret is in the backup"
      : "it was made of a site whose AUTH_SECRET is a setting. Set the same here",
  );
}

/** From now on the folder is nobody's but ours. */
async function mark(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const file = await open(path.join(dataDir, UNFINISHED_RESTORE), "wx", 0o600);
  await file.sync();
  await file.close();
}

async function clear({ dataDir }: Place, log: Log): Promise<void> {
  const cluster = path.join(dataDir, "postgres");
  await clearPostgresLeftovers(cluster, cluster, log).catch(() => {});
  for (const name of OURS) await rm(path.join(dataDir, name), { recursive: true, force: true, maxRetries: 3 });
  await rm(path.join(dataDir, UNFINISHED_RESTORE), { force: true });
}
