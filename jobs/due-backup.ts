// Makes due backups in a child process: packing and proving one takes minutes.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setPriority } from "node:os";
import path from "node:path";
import { type Config, environmentFor } from "#config";
import type { Db } from "#db/client.ts";
import { isBackupDue } from "#domain/site/backups.ts";

const COMMAND = path.join(import.meta.dirname, "..", "cli", "spawnpoint.ts");
/** Low priority: pages come first. */
const NICENESS = 10;

/**
 * Makes a backup if one is due; does nothing without BACKUP_DIR. Any number of processes may check at once: the command holds a
 * lock while it runs. `signal` ends it, and this waits for that end.
 */
export async function makeDueBackup({
  db,
  config,
  signal,
}: {
  db: Db;
  config: Config;
  signal: AbortSignal;
}): Promise<void> {
  if (!config.backups || !(await isBackupDue(db, config.backups.everyH)) || signal.aborted) return;
  const child = spawn(process.execPath, [COMMAND, "backup", "--scheduled"], {
    env: environmentFor(config),
    stdio: ["ignore", "inherit", "pipe", "ipc"],
  });
  const end = () => child.kill("SIGTERM");
  signal.addEventListener("abort", end);
  let complaint = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-2000);
    process.stderr.write(text);
  });
  try {
    if (child.pid) setPriority(child.pid, NICENESS);
  } catch {
    // It has already ended.
  }
  try {
    const [code] = await once(child, "close");
    if (code !== 0)
      throw new Error(`no backup could be made: ${complaint.trim().split("\n").at(-1)} (exit code ${code})`);
  } finally {
    signal.removeEventListener("abort", end);
  }
}
