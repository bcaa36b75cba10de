/** What a process and everything below it takes of the machine, as the kernel counts it (Linux: /proc). */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

/** The tick in which the kernel counts CPU for programs: 100 a second wherever Node runs on Linux. */
const TICKS_PER_S = 100;

export type TreeProcess = {
  pid: number;
  /** What it runs: `start`, `web`, a script's name, or what Postgres calls its process. */
  name: string;
  /** Seconds of CPU since its start, with those of its children that have ended. */
  cpuS: number;
};

type Stat = { pid: number; parent: number; program: string; cpuS: number };

/**
 * The process and those below it, however deep. The sum of their seconds never falls: who ends leaves its own to its parent, so
 * the difference between two sums holds what was there for a moment only.
 */
export async function readProcessTree(root: number): Promise<TreeProcess[]> {
  const stats = new Map<number, Stat>();
  for (const entry of await readdir("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = readStat(await readFile(`/proc/${entry}/stat`, "utf8").catch(() => ""));
    if (stat) stats.set(stat.pid, stat);
  }
  const isOfTree = (pid: number): boolean => {
    const stat = stats.get(pid);
    return stat !== undefined && (pid === root || isOfTree(stat.parent));
  };
  const own = [...stats.values()].filter(({ pid }) => isOfTree(pid));
  return Promise.all(own.map(async ({ pid, program, cpuS }) => ({ pid, cpuS, name: await nameOf(pid, program) })));
}

/** `text` of /proc/PID/stat; null where the process is gone. */
function readStat(text: string): Stat | null {
  const parts = /^(\d+) \((.*)\) (.*)/s.exec(text);
  if (!parts) return null;
  const [, pid, program = "", rest = ""] = parts;
  // From the third field on: state, parent, …; utime, stime, cutime and cstime are the 14th to the 17th of all.
  const fields = rest.split(" ");
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { pid: Number(pid), parent: Number(fields[1]), program, cpuS: ticks / TICKS_PER_S };
}

async function nameOf(pid: number, program: string): Promise<string> {
  const words = (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).split("\0");
  // "postgres: checkpointer", "postgres: spawnpoint spawnpoint [local] idle": each connection alike.
  const title = words[0] ?? "";
  if (title.startsWith("postgres: ")) return /\[local\]/.test(title) ? "postgres: connection" : title.trim();
  if (path.basename(title) === "postgres") return "postgres";
  const script = words.findIndex((word) => /\.m?[jt]s$/.test(word));
  if (script < 0) return program;
  const of = path.basename(words[script] ?? "");
  return of === "spawnpoint.ts"
    ? words
        .slice(script + 1)
        .join(" ")
        .trim()
    : of;
}

/** Its share of the memory, in bytes: what it has alone, and its part of each page that it shares with others. */
export async function proportionalBytes(pid: number): Promise<{ all: number; files: number }> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
  const of = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(rollup)?.[1] ?? 0) * 1024;
  return { all: of("Pss"), files: of("Pss_File") };
}
