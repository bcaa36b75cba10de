/** Finds another process' embedded Postgres on a data folder. */
import { readFile } from "node:fs/promises";
import path from "node:path";

/** Its address for `connectDatabase`; null: none is ready. Its pid file names its socket folder. */
export async function findRunningPostgres(dataDir: string): Promise<string | null> {
  const content = await readFile(path.join(dataDir, "postgres", "postmaster.pid"), "utf8").catch(() => "");
  // Process, folder, start, port, socket folder, addresses, memory, state: the lines that pg_ctl reads, too.
  const [pid = "", , , , socketFolder, , , state] = content.split("\n");
  if (!socketFolder || state?.trim() !== "ready" || !isAlive(Number(pid))) return null;
  return `postgres://spawnpoint@localhost/spawnpoint?host=${encodeURIComponent(socketFolder)}`;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
