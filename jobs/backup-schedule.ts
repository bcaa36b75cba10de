// Sees to it that backups are made when they are due, by a process of its own: packing and proving one takes minutes.
import { spawn } from "node:child_process";
import { setPriority } from "node:os";
import path from "node:path";
import type { Logger } from "pino";
import { type Config, environmentFor } from "#config";
import type { Db } from "#db/client.ts";
import { isBackupDue } from "#domain/site/backups.ts";

const EVERY_MS = 60_000;
const COMMAND = path.join(import.meta.dirname, "..", "cli", "spawnpoint.ts");
/** Pages come first. */
const NICENESS = 10;

/**
 * Looks every minute. Safe to run in every web process of a site: Postgres lets one make the backup. Without BACKUP_DIR it
 * does nothing.
 */
export function startBackupSchedule(db: Db, config: Config, log: Logger): { stop(): Promise<void> } {
  const { backups } = config;
  if (!backups) return { stop: async () => {} };
  let running: Promise<void> | null = null;
  let end = () => {};

  function run(): Promise<void> {
    const child = spawn(process.execPath, [COMMAND, "backup", "--scheduled"], {
      env: environmentFor(config),
      stdio: ["ignore", "inherit", "pipe", "ipc"],
    });
    end = () => child.kill("SIGTERM");
    let complaint = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      complaint = (complaint + text).slice(-2000);
      process.stderr.write(text);
    });
    try {
      if (child.pid) setPriority(child.pid, NICENESS);
    } catch {
      // It is over already.
    }
    return new Promise((resolve) => {
      child.once("error", (error) => {
        log.error({ err: error }, "no backup could be made");
        resolve();
      });
      child.once("close", (code) => {
        if (code !== 0) log.error({ code, complaint: complaint.trim().split("\n").at(-1) }, "no backup could be made");
        resolve();
      });
    });
  }

  const timer = setInterval(() => {
    if (running) return;
    running = isBackupDue(db, backups.everyH)
      .then((due) => (due ? run() : undefined))
      // Postgres is away; the next minute asks again.
      .catch((error: unknown) => log.debug({ err: error }, "nobody knows whether a backup is due"))
      .finally(() => {
        running = null;
      });
  }, EVERY_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      end();
      await running;
    },
  };
}
