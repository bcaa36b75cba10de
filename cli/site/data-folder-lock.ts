/** Locks a data folder for one start, and tells the next one the holder. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StartError } from "../start-error.ts";

/**
 * Locks the folder (created with mode 0700) until `release` or the end of this process. Uses SQLite's lock on an empty file,
 * because the kernel drops it with the process: a pid file would survive kill -9, and Node has no flock.
 * @param restarts whether the holder supports restarts (SIGUSR2, which ends any other process)
 * @throws {StartError} if locked, naming the holder, or not writable.
 */
export function lockDataFolder(dataDir: string, { restarts = false } = {}): { release(): void } {
  const holderFile = path.join(dataDir, "holder.json");
  let lock: DatabaseSync | undefined;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const lockFile = path.join(dataDir, "lock.sqlite");
    makePrivate(lockFile);
    lock = new DatabaseSync(lockFile, { timeout: 0 });
    lock.exec("BEGIN EXCLUSIVE");
    makePrivate(holderFile);
    writeFileSync(
      holderFile,
      `${JSON.stringify({ pid: process.pid, startedAt: new Date().toISOString(), restarts })}\n`,
    );
  } catch (error) {
    lock?.close();
    if (error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY) {
      throw new StartError(
        `Spawnpoint already runs on ${dataDir}: ${describeHolder(holderFile)}. Stop it first, or set another DATA_DIR.`,
      );
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`DATA_DIR ${dataDir} cannot be used: ${reason}${remedyFor(reason, dataDir)}`);
  }
  const held = lock;
  // A reference for the process's lifetime: garbage collection would release the lock.
  const closeAtExit = () => held.close();
  process.once("exit", closeAtExit);
  return {
    release() {
      process.removeListener("exit", closeAtExit);
      held.close();
    },
  };
}

const SQLITE_BUSY = 5;

/** Returns the process that holds the folder, and whether it supports restarts; null: none. */
export function findRunningStart(dataDir: string): { pid: number; restarts: boolean } | null {
  const lockFile = path.join(dataDir, "lock.sqlite");
  if (!existsSync(lockFile)) return null;
  const lock = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return null;
  } catch (error) {
    if (!(error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY)) throw error;
    const holder: { pid: number; restarts?: boolean } = JSON.parse(
      readFileSync(path.join(dataDir, "holder.json"), "utf8"),
    );
    return { pid: holder.pid, restarts: holder.restarts === true };
  } finally {
    lock.close();
  }
}

/** Returns the command to fix a folder that isn't writable; empty if the reason is clear. */
function remedyFor(reason: string, dataDir: string): string {
  if (/EACCES|EPERM|readonly|unable to open/.test(reason)) {
    return `. Start as the user that it belongs to, or give it to this one, as root: \`mkdir -p ${dataDir} && chown -R ${process.getuid?.() ?? "you"} ${dataDir}\``;
  }
  if (/EROFS/.test(reason)) return ". Its disk is read-only: set DATA_DIR to another one";
  if (/ENOSPC|disk is full/.test(reason)) return `. Make room there (\`df -h\`), or set DATA_DIR to another disk`;
  return "";
}

/**
 * Creates the file for its owner alone (0600): SQLite would use the umask. Doesn't open an existing one, because closing it would
 * release this process's lock.
 */
function makePrivate(file: string): void {
  try {
    writeFileSync(file, "", { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    chmodSync(file, 0o600);
  }
}

function describeHolder(holderFile: string): string {
  try {
    const holder: unknown = JSON.parse(readFileSync(holderFile, "utf8"));
    if (typeof holder === "object" && holder !== null && "pid" in holder && "startedAt" in holder) {
      return `process ${holder.pid}, started at ${holder.startedAt}`;
    }
  } catch {
    // Being written right now; the refusal works without it.
  }
  return "a process that started a moment ago";
}
