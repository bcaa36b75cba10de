/** How much memory this process and its like may use: the machine's, or less where a container or a service has a limit. */
import { readFileSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import path from "node:path";

/** Under it each process counts: web and collector are one, and one web process answers. */
export const SMALL_MACHINE = 2 ** 30;

/** From it on there is room for a second web process, which takes some 100 MB (bench/last-run.md, N2). */
const ROOMY_MACHINE = 1.5 * 2 ** 30;
const MOST_WEB_WORKERS = 64;

/** Web processes where nobody says how many: one core is left to the others, but two of them outlive a crash of one. */
export function usualWebWorkers(memory = usableMemory(), cores = availableParallelism()): number {
  if (memory < SMALL_MACHINE) return 1;
  const least = cores > 1 && memory >= ROOMY_MACHINE ? 2 : 1;
  return Math.min(MOST_WEB_WORKERS, Math.max(least, cores - 1));
}

/** In bytes. */
export function usableMemory(): number {
  // Zero, or far too much, where nothing constrains this process.
  const constrained = process.constrainedMemory();
  return Math.min(totalmem(), constrained > 0 ? constrained : Number.POSITIVE_INFINITY, limitOfGroups());
}

/**
 * The lowest limit of the groups that this process is in, whichever of them it is set on: a service's own (`MemoryMax=`), or that of
 * a slice or a container above it. Infinite where there is none, or no such groups.
 * @param root,mine where the groups and the list of our own are; tests have others.
 */
export function limitOfGroups(root = "/sys/fs/cgroup", mine = "/proc/self/cgroup"): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (const line of read(mine).split("\n")) {
    // "0::/system.slice/spawnpoint.service", and before version 2 "4:memory:/…".
    const [, controllers = "", group] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (group === undefined) continue;
    const isOld = controllers.split(",").includes("memory");
    if (!isOld && controllers !== "") continue;
    const [folder, file] = isOld ? [path.join(root, "memory"), "memory.limit_in_bytes"] : [root, "memory.max"];
    for (let at = group; ; at = path.dirname(at)) {
      const limit = Number(read(path.join(folder, at, file)).trim() || Number.NaN);
      if (limit > 0) lowest = Math.min(lowest, limit);
      if (at === "/") break;
    }
  }
  return lowest;
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
