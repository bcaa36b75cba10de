/** The site as an operator starts it, for tests that do it harm: started, watched and killed from outside. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, readlink, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { connectDatabase, type Database } from "#db/client.ts";
import { findFreePort } from "#tests/helpers/network/free-port.ts";

const ROOT = path.join(import.meta.dirname, "../..");

/** `npm run test:faults` asks for the long versions. */
export const FULL = process.env.SPAWNPOINT_FAULTS === "full";

export type RealSite = {
  url: string;
  process: ChildProcess;
  /** All that it has written so far, both streams. */
  output(): string;
  /** Settles with its end. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Settles, with the milliseconds since its start, when /readyz says 200. */
  untilReady(withinMs: number): Promise<number>;
  /** Opens the embedded Postgres from outside. */
  openDatabase(): Database;
  /** Sends a signal to every process of the embedded Postgres; each session is a group of its own. */
  signalPostgres(signal: NodeJS.Signals): Promise<void>;
};

/** A data folder of its own (in `parent`) that is removed with the test, and a port that was free a moment ago. */
export async function makePlace(
  parent = os.tmpdir(),
): Promise<{ dataDir: string; port: number; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(parent, "spawnpoint-fault-"));
  return {
    dataDir: path.join(folder, "data"),
    port: await findFreePort(),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Starts it in a process group of its own, as a terminal would. `args` replaces the command; `env` adds settings. */
export function startRealSite(
  place: { dataDir: string; port: number },
  options: { command?: string[]; env?: NodeJS.ProcessEnv } = {},
): RealSite {
  const [program = "", ...args] = options.command ?? [process.execPath, "cli/spawnpoint.ts", "start", "--demo"];
  const startedAt = performance.now();
  const url = `http://127.0.0.1:${place.port}`;
  const child = spawn(program, args, {
    cwd: ROOT,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      DATA_DIR: place.dataDir,
      PORT: String(place.port),
      HOST: "127.0.0.1",
      SITE_URL: "",
      DATABASE_URL: "",
      POLL_INTERVAL_S: "1",
      LOG_LEVEL: "warn",
      // What a test kills is the one that answers.
      WEB_WORKERS: "1",
      ...options.env,
    },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (part: string) => {
      output += part;
    });
  }
  const ended = new Promise<Awaited<RealSite["ended"]>>((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  const cluster = path.join(place.dataDir, "postgres");
  return {
    url,
    process: child,
    output: () => output,
    ended,
    async untilReady(withinMs) {
      let said = "";
      while (performance.now() - startedAt < withinMs && child.exitCode === null) {
        const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(3000) }).catch(() => null);
        said = (await answer?.text().catch(() => "")) ?? "";
        if (answer?.status === 200) return performance.now() - startedAt;
        await pause(25);
      }
      throw new Error(`not ready after ${Math.round(performance.now() - startedAt)} ms (${said}); it said:\n${output}`);
    },
    openDatabase: () =>
      connectDatabase(
        { databaseUrl: `postgres://spawnpoint@localhost/spawnpoint?host=${encodeURIComponent(cluster)}` },
        { max: 1, applicationName: "spawnpoint fault test" },
      ),
    async signalPostgres(signal) {
      // First the one that starts the others: what it starts between our look and our signal would go on.
      const noted = await readFile(path.join(cluster, "postmaster.pid"), "utf8").catch(() => "");
      const postmaster = Number.parseInt(noted, 10);
      if (postmaster > 1) sendSignal(postmaster, signal);
      for (const pid of (await listPids()).filter((each) => each !== postmaster)) {
        const folder = await readlink(`/proc/${pid}/cwd`).catch(() => "");
        if (folder === cluster) sendSignal(pid, signal);
      }
    },
  };
}

/** Ends a whole process group at once, as a closing terminal or a supervisor without patience does. */
export function killGroup(leader: number, signal: NodeJS.Signals = "SIGKILL"): void {
  sendSignal(-leader, signal);
}

/** Processes that work on this data folder, however they were started: none may be left after a stop. */
export async function listProcessesOf(dataDir: string): Promise<string[]> {
  const lines = await Promise.all(
    (await listPids()).map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
      const command = (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).replaceAll("\0", " ").trim();
      return environment.includes(`DATA_DIR=${dataDir}\0`) || command.includes(dataDir) ? `${pid} ${command}` : "";
    }),
  );
  return lines.filter((line) => line !== "");
}

async function listPids(): Promise<number[]> {
  return (await readdir("/proc"))
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid);
}

/** Whoever has ended meanwhile needs no signal. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {}
}
