/** Restores a backup into an empty place: all or nothing. */
import { randomUUID } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import type { Config } from "#config";
import { connectDatabase } from "#db/client.ts";
import { startEmbeddedPostgres } from "#db/postgres/embedded-postgres.ts";
import { clearPostgresLeftovers } from "#db/postgres/leftovers.ts";
import { findSiteKind } from "#domain/site/identity.ts";
import { createObjectStorage, type ObjectStorage } from "#outside/object-storage.ts";
import type { Log } from "../process/log.ts";
import { lockDataFolder } from "../site/data-folder-lock.ts";
import { DEMO_MARK, markDemoFolder } from "../site/demo-folder.ts";
import { StartError } from "../start-error.ts";
import { fileName, type Part } from "./backup-shape.ts";
import { holdsRestore, requireEmptyDatabase, requireKnownLevel } from "./database-in.ts";
import { loadRows } from "./load-rows.ts";
import type { CheckedBackup } from "./read-backup-file.ts";
import { checkOfSecret, listSiteFileNames, putSecret, putSiteFile } from "./site-files.ts";
import { BackupFileError } from "./tar-entries.ts";
import {
  type RestoreMark,
  readRestoreMark,
  removeRestoreMark,
  UNFINISHED_RESTORE,
  writeRestoreMark,
} from "./unfinished-restore.ts";

/** Files that a restore writes, and an unfinished one leaves. */
const OURS = ["postgres", "postgres.unfinished", "secrets", "buckets", DEMO_MARK];
/** Not part of a site: the folder's lock, and its backups and mails. */
const HARMLESS = ["lock.sqlite", "lock.sqlite-journal", "holder.json", "backups", "outbox", "proving", "lost+found"];
/** npm's files, where the folder is its user's home. */
const OF_NPM = [".npm", ".npmrc", ".cache", ".config"];

type Place = Pick<Config, "dataDir" | "databaseUrl" | "postgresBin" | "s3" | "authSecret">;
type SiteFile = { bucket: string; key: string };

/** One restore, possibly the continuation of a killed one. */
type Restore = {
  backup: CheckedBackup;
  place: Place;
  storage: ObjectStorage;
  id: string;
  /** Files of the backup that are in external storage. */
  put: SiteFile[];
  /** Not everything could be undone, or the rows may be committed: keeps the mark for the next run. */
  lasts: boolean;
};

/**
 * Restores a checked backup into an empty data folder and an empty database: that of DATABASE_URL, or a new embedded one. Killed
 * half-way, it leaves a mark in the data folder: the site doesn't start then, and the next restore of the same file starts over.
 * @param signal aborts and undoes everything
 * @throws {BackupFileError} if the place isn't empty or the backup isn't for this version or secret; leaves nothing of the backup.
 * {StartError} if it has to be run again to be complete; leaves the mark.
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
    const begun = await readRestoreMark(place.dataDir);
    const again = begun !== null && begun !== "nameless" && begun.sha256 === backup.sha256 ? begun : null;
    const committed = again !== null && (await isCommitted(place, again));
    if (begun !== null) {
      if (place.databaseUrl && !committed) await requireEmptyDatabase(place.databaseUrl);
      await clear(place, log);
    }
    const storage = createObjectStorage(place);
    const put = committed ? [] : await requireEmptyPlace(place, storage, again && backup);
    const restore = { backup, place, storage, id: again?.restore_id ?? randomUUID(), put, lasts: committed };
    if (again === null) await writeRestoreMark(place.dataDir, { sha256: backup.sha256, restore_id: restore.id });
    try {
      await (committed ? putFiles(restore, signal) : fill(restore, log, signal));
      if (place.databaseUrl) await markFolderOfDemo(place, place.databaseUrl);
    } catch (error) {
      if (restore.lasts) throw unfinished(error);
      await clear(place, log);
      await removeRestoreMark(place.dataDir);
      throw error;
    }
    await removeRestoreMark(place.dataDir);
  } finally {
    lock.release();
  }
}

/** The rows were committed, but the process was killed before it noticed. */
async function isCommitted({ databaseUrl }: Place, { restore_id }: RestoreMark): Promise<boolean> {
  return databaseUrl !== undefined && (await holdsRestore(databaseUrl, restore_id));
}

function unfinished(error: unknown): StartError {
  const reason = error instanceof Error ? error.message : String(error);
  return new StartError(`The restore was not finished (${reason}). Run it again with the same file.`);
}

async function fill(restore: Restore, log: Log, signal: AbortSignal | undefined): Promise<void> {
  const { backup, place } = restore;
  const postgres = place.databaseUrl
    ? null
    : await startEmbeddedPostgres({ dataDir: place.dataDir, bin: place.postgresBin, log });
  try {
    const database = await loadRows(backup, place.databaseUrl ?? postgres?.url ?? "", {
      endSessions: true,
      signal,
      onFile: (part, bytes) => putPart(restore, part, bytes),
    });
    try {
      // An embedded database is cleared as a whole. For another, a missing answer leaves the outcome unknown.
      restore.lasts = place.databaseUrl !== undefined;
      await database.commit(restore.id);
    } finally {
      await database.close();
    }
    if (postgres) await markFolderOfDemo(place, postgres.url);
  } catch (error) {
    if (!restore.lasts) restore.lasts = !(await takeFilesBack(restore));
    throw error;
  } finally {
    await postgres?.stop();
  }
}

/** Marks the folder of a restored demo, which its next start would otherwise take for a real site's. */
async function markFolderOfDemo({ dataDir }: Place, databaseUrl: string): Promise<void> {
  const { db, close } = connectDatabase({ databaseUrl }, { max: 1, applicationName: "spawnpoint restore" });
  try {
    if ((await findSiteKind(db)).kind === "demo") await markDemoFolder(dataDir);
  } finally {
    await close();
  }
}

/** Writes all files again: they may not be on the disk, though the rows are committed. */
async function putFiles(restore: Restore, signal: AbortSignal | undefined): Promise<void> {
  for await (const { part, bytes } of restore.backup.parts()) {
    signal?.throwIfAborted();
    await putPart(restore, part, bytes);
  }
}

async function putPart({ place, storage, put }: Restore, part: Part, bytes: Buffer): Promise<void> {
  if (part.kind === "secret") await putSecret(place.dataDir, part.name, bytes);
  if (part.kind !== "file") return;
  put.push(part);
  await putSiteFile(storage, part.bucket, part.key, bytes);
}

/** Clears the whole data folder, but in external storage only the files we have put there. */
async function takeFilesBack({ place, storage, put }: Restore): Promise<boolean> {
  let all = true;
  for (const { bucket, key } of place.s3 ? put : []) {
    await storage.remove(bucket, key).catch(() => {
      all = false;
    });
  }
  return all;
}

/**
 * @param begun the backup of a killed restore: its files may exist
 * @returns those that do
 */
async function requireEmptyPlace(
  place: Place,
  storage: ObjectStorage,
  begun: CheckedBackup | null,
): Promise<SiteFile[]> {
  const harmless = [...HARMLESS, ...OF_NPM, UNFINISHED_RESTORE];
  const found = (await readdir(place.dataDir)).filter((name) => !harmless.includes(name));
  if (found.length > 0) {
    throw new BackupFileError(
      `${place.dataDir} is not empty (${found.slice(0, 3).join(", ")}). A backup is restored into an empty folder alone: set another DATA_DIR`,
    );
  }
  if (place.databaseUrl) await requireEmptyDatabase(place.databaseUrl);
  if (!place.s3) return [];
  const ours = new Set<string>();
  for await (const { part } of begun?.parts() ?? []) {
    if (part.kind === "file") ours.add(fileName(part.bucket, part.key));
  }
  const files = await Array.fromAsync(listSiteFileNames(storage));
  if (files.every(({ bucket, key }) => ours.has(fileName(bucket, key)))) return files;
  throw new BackupFileError("the buckets are not empty. Set another S3_BUCKET_PREFIX, or empty them");
}

/** Checks the secret: a wrong one would break all second factors, noticed only at the first login. */
function requireSecret({ manifest, secrets }: CheckedBackup, { authSecret }: Place): void {
  const secret = authSecret ?? secrets.get("auth")?.toString("utf8").trim();
  if (secret !== undefined && checkOfSecret(secret) === manifest.secret_check) return;
  throw new BackupFileError(
    authSecret
      ? "AUTH_SECRET is not that of the site it was made of. Set that one, or none if the secret is in the backup"
      : "it was made of a site whose AUTH_SECRET is a setting. Set the same here",
  );
}

/** Removes what a restore has written into the data folder, except its mark. */
async function clear({ dataDir }: Place, log: Log): Promise<void> {
  const cluster = path.join(dataDir, "postgres");
  await clearPostgresLeftovers(cluster, cluster, log).catch(() => {});
  for (const name of OURS) await rm(path.join(dataDir, name), { recursive: true, force: true, maxRetries: 3 });
}
