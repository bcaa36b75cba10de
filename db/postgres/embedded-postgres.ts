/** Runs our own Postgres in the data folder, reachable over a private socket. */
import type { ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, readFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { choosePostgresAccount, type PostgresAccount, runAsPostgres } from "./account.ts";
import { makePostgresCluster } from "./cluster.ts";
import { EmbeddedPostgresError, speaksOfDamage } from "./embedded-postgres-error.ts";
import { clearPostgresLeftovers } from "./leftovers.ts";
import { findPostgresPrograms, type PostgresPrograms } from "./programs.ts";
import { tunePostgres } from "./tuning.ts";

type Log = { debug(message: string): void; info(message: string): void; warn(message: string): void };

export type EmbeddedPostgres = {
  /** For `connectDatabase`; the same after each start on this data folder. */
  url: string;
  pid: number;
  /** Settles when the server process has ended, expected or not, with its last lines of output. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null; lastLines: string[] }>;
  /** Ends all connections and stops with a checkpoint (`force`: without it); settles when the process has ended. */
  stop(force?: boolean): Promise<void>;
};

const PORT = 5432;
/** A socket's path must fit in the kernel's 108 bytes (104 on macOS), the terminating zero included. */
const LONGEST_SOCKET_PATH = process.platform === "darwin" ? 103 : 107;
const READY_WITHIN_MS = 60_000;

const SETTINGS: Record<string, string> = {
  listen_addresses: "",
  unix_socket_permissions: "0700",
  max_connections: "50",
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  // Only our own recovery reads the write-ahead log.
  wal_level: "minimal",
  max_wal_senders: "0",
  max_replication_slots: "0",
  max_logical_replication_workers: "0",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  log_line_prefix: "",
  log_checkpoints: "off",
};

/** Unknown to Postgres 17 and older. */
const SETTINGS_SINCE_18: Record<string, string> = { io_method: "sync" };

/**
 * Starts Postgres on `dataDir`/postgres, creating the cluster if there is none; settles when it accepts connections. Cleans up an
 * earlier run's leftovers (a server without a parent, a stale pid file, a partial cluster), so the caller must hold the lock on
 * `dataDir`.
 * @param options.bin POSTGRES_BIN, the folder of this machine's own programs; otherwise the package's are used.
 * @param options.settings overrides server settings.
 * @param options.unshare the program that creates user namespaces; tests pass another.
 * @throws {EmbeddedPostgresError} with the reason, when it can't run here.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  bin?: string | undefined;
  log: Log;
  settings?: Record<string, string>;
  unshare?: string;
}): Promise<EmbeddedPostgres> {
  const { dataDir, log } = options;
  const programs = await findPostgresPrograms(options.bin);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const account = await choosePostgresAccount(programs, dataDir, options.unshare);
  const cluster = path.join(dataDir, "postgres");
  if (!(await exists(path.join(cluster, "PG_VERSION")))) {
    if ((await readdir(cluster).catch(() => [])).length > 0) {
      throw new EmbeddedPostgresError(`${cluster} is no whole database: its file PG_VERSION is missing`, {
        damaged: true,
      });
    }
    log.info("making the database for the first time");
    await makePostgresCluster(programs, account, cluster);
  }
  await refuseOtherVersion(programs, cluster);
  const socketFolder = await prepareSocketFolder(cluster, account);
  await clearPostgresLeftovers(cluster, socketFolder, log);
  const settings = {
    ...SETTINGS,
    ...(programs.major >= 18 ? SETTINGS_SINCE_18 : {}),
    ...tunePostgres(),
    unix_socket_directories: socketFolder,
    port: String(PORT),
    ...options.settings,
  };
  const startedAt = performance.now();
  for (;;) {
    const server = launch(programs, account, cluster, settings, log);
    const failure = await untilReady(server, cluster);
    if (failure === null) {
      return {
        url: `postgres://spawnpoint@localhost/spawnpoint?host=${encodeURIComponent(socketFolder)}`,
        pid: server.pid,
        exited: server.exited,
        stop: (force = false) => stopServer(server, force),
      };
    }
    // Sessions of a killed server end within moments; until then Postgres rightly refuses to start.
    const sessionsLinger = /pre-existing shared memory block/.test(failure);
    if (!sessionsLinger || performance.now() - startedAt > 8000) {
      throw new EmbeddedPostgresError(`Postgres does not start on ${cluster}: ${failure}`, {
        damaged: speaksOfDamage(failure),
      });
    }
    await pause(100);
  }
}

/** @throws {EmbeddedPostgresError} for files of another major version */
async function refuseOtherVersion({ postgres, major }: PostgresPrograms, cluster: string): Promise<void> {
  const found = (await readFile(path.join(cluster, "PG_VERSION"), "utf8")).trim();
  if (found === String(major)) return;
  throw new EmbeddedPostgresError(
    `the database in ${cluster} was made by Postgres ${found}, and ${postgres} is Postgres ${major}: set POSTGRES_BIN to the folder of the programs of Postgres ${found}, or restore a backup into an empty DATA_DIR`,
  );
}

type Server = {
  pid: number;
  child: ChildProcess;
  lastLines: string[];
  exited: EmbeddedPostgres["exited"];
};

function launch(
  programs: PostgresPrograms,
  account: PostgresAccount,
  cluster: string,
  settings: Record<string, string>,
  log: Log,
): Server {
  const args = ["-D", cluster, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
  // Its own process group: Ctrl-C in the terminal must not stop it before the site.
  const child = runAsPostgres(account, programs.postgres, args, {
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const lastLines: string[] = [];
  if (child.stderr) {
    createInterface({ input: child.stderr }).on("line", (line) => {
      lastLines.push(line);
      if (lastLines.length > 20) lastLines.shift();
      if (/^(WARNING|ERROR|FATAL|PANIC):/.test(line)) log.warn(`postgres: ${line}`);
      else log.debug(`postgres: ${line}`);
    });
  }
  const exited = new Promise<Awaited<Server["exited"]>>((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal, lastLines }));
    child.once("error", (error) => resolve({ code: null, signal: null, lastLines: [error.message] }));
  });
  return { pid: child.pid ?? 0, child, lastLines, exited };
}

/** Null once the server writes "ready" to its pid file (as pg_ctl waits), else why it ended. */
async function untilReady(server: Server, cluster: string): Promise<string | null> {
  let ended: Awaited<Server["exited"]> | null = null;
  server.exited.then((end) => {
    ended = end;
  });
  const deadline = performance.now() + READY_WITHIN_MS;
  while (performance.now() < deadline) {
    if (ended !== null) return reasonOf(ended);
    const lines = (await readFile(path.join(cluster, "postmaster.pid"), "utf8").catch(() => "")).split("\n");
    if (Number(lines[0]) === server.pid && lines[7]?.trim() === "ready") return null;
    await pause(10);
  }
  await stopServer(server, true);
  return `not ready after ${READY_WITHIN_MS / 1000} s`;
}

function reasonOf(end: Awaited<Server["exited"]>): string {
  const telling = end.lastLines.filter((line) => /^(FATAL|PANIC):/.test(line));
  return telling.at(-1) ?? end.lastLines.at(-1) ?? `it ended with ${end.signal ?? `code ${end.code}`}`;
}

/** Shuts down fast (sessions cut, checkpoint written), then harder, so that a stop always ends. */
async function stopServer(server: Server, force: boolean): Promise<void> {
  for (const [signal, patienceMs] of [
    ...(force ? [] : [["SIGINT", 10_000] as const]),
    ["SIGQUIT", 3000],
    ["SIGKILL", 5000],
  ] as const) {
    server.child.kill(signal);
    const gone = await Promise.race([server.exited.then(() => true), pause(patienceMs, false, { ref: false })]);
    if (gone) return;
  }
}

/** The cluster's own folder if its path is short enough, else a private one with a stable name. */
async function prepareSocketFolder(cluster: string, account: PostgresAccount): Promise<string> {
  if (Buffer.byteLength(path.join(cluster, `.s.PGSQL.${PORT}`)) <= LONGEST_SOCKET_PATH) return cluster;
  const name = `spawnpoint-${createHash("sha256").update(cluster).digest("hex").slice(0, 16)}`;
  let folder = path.join(os.tmpdir(), name);
  await mkdir(folder, { mode: 0o700 }).catch(() => {});
  const owner = account.uid ?? process.getuid?.() ?? 0;
  const found = await lstat(folder);
  const ours = found.isDirectory() && (found.uid === process.getuid?.() || found.uid === owner);
  if (!ours) folder = await mkdtemp(path.join(os.tmpdir(), "spawnpoint-"));
  await chmod(folder, 0o700);
  if (account.uid !== undefined) await chown(folder, account.uid, account.gid ?? account.uid);
  return folder;
}

async function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}
