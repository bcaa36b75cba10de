/** Cleans up a killed run's Postgres, so that the next start needs no manual work. */
import { execFile } from "node:child_process";
import { readdir, readFile, readlink, realpath, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";

/**
 * Stops every Postgres process on this cluster, removes its socket, and detaches its pid file from an unrelated process with that
 * number. Only for the holder of the lock on the data folder, for which all of them are orphans.
 */
export async function clearPostgresLeftovers(
  cluster: string,
  socketFolder: string,
  log: { info(message: string): void },
): Promise<void> {
  const pidFile = path.join(cluster, "postmaster.pid");
  const content = await readFile(pidFile, "utf8").catch(() => null);
  const orphans = await findProcessesIn(cluster);
  const former = Number(content?.split("\n")[0]);
  if (orphans.includes(former)) {
    log.info(`stopping the Postgres that an earlier run left behind (process ${former})`);
    await stopProcess(former, ["SIGINT", "SIGQUIT", "SIGKILL"]);
  }
  for (const pid of await findProcessesIn(cluster)) await stopProcess(pid, ["SIGQUIT", "SIGKILL"]);
  const sockets = (await readdir(socketFolder)).filter((name) => name.startsWith(".s.PGSQL."));
  for (const name of sockets) await rm(path.join(socketFolder, name), { force: true });
  if (content === null || (await readFile(pidFile).catch(() => null)) === null) return;
  // The file is stale, but Postgres would refuse to start if any living process has its number. It ignores the number of its own
  // parent, which is this process, and still checks the rest of the file for shared memory in use.
  await writeFile(pidFile, content.replace(/^\d+/, String(process.pid)));
}

/** Finds Postgres processes whose working folder is the cluster: only the server and its sessions. */
async function findProcessesIn(cluster: string): Promise<number[]> {
  if (process.platform !== "linux") return findServersByCommand(cluster);
  const folder = await realpath(cluster);
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => "");
      if (cwd !== folder) return false;
      return path.basename(await readlink(`/proc/${pid}/exe`).catch(() => "")).startsWith("postgres");
    }),
  );
  return pids.filter((_, index) => found[index]).map(Number);
}

/** Without /proc: finds only the server, by its arguments; its sessions end with it. */
async function findServersByCommand(cluster: string): Promise<number[]> {
  const { stdout } = await promisify(execFile)("ps", ["-axo", "pid=,command="], { maxBuffer: 16_000_000 });
  const servers = stdout.split("\n").filter((line) => line.includes(`postgres -D ${cluster} `));
  return servers.map((line) => Number.parseInt(line, 10));
}

async function stopProcess(pid: number, signals: NodeJS.Signals[]): Promise<void> {
  for (const signal of signals) {
    if (!send(pid, signal)) return;
    // A stopped process ignores everything but SIGKILL until it continues.
    send(pid, "SIGCONT");
    const deadline = performance.now() + 3000;
    while (performance.now() < deadline) {
      if (!send(pid, 0) || (await isZombie(pid))) return;
      await pause(20);
    }
  }
}

/** Ended, but never reaped by its parent, as in a container whose first process doesn't reap. */
async function isZombie(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat.slice(stat.lastIndexOf(")")).startsWith(") Z");
}

/** False when the process no longer exists. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
