/** Finds how much memory the site's processes may use: the machine's, or less if a container or a service has a limit. */
import { readFileSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import path from "node:path";

/** Below it each process counts: web and collector run in one, and there is one web process. */
export const SMALL_MACHINE = 2 ** 30;

/** From it on there is room for a second web process, which takes some 100 MB (N2 in docs/performance.md). */
const ROOMY_MACHINE = 1.5 * 2 ** 30;
const MOST_WEB_WORKERS = 64;

/**
 * Gets the default number of web processes: one core is left to the others. Where there is room there are two even on one core, so
 * that a crash of one leaves another that answers: a fresh process takes seconds.
 */
export function usualWebWorkers(memory = usableMemory(), cores = availableParallelism()): number {
  if (memory < SMALL_MACHINE) return 1;
  const least = memory >= ROOMY_MACHINE ? 2 : 1;
  return Math.min(MOST_WEB_WORKERS, Math.max(least, cores - 1));
}

/** In bytes. */
export function usableMemory(): number {
  // Zero, or far too much, if nothing limits this process.
  const constrained = process.constrainedMemory();
  return Math.min(totalmem(), constrained > 0 ? constrained : Number.POSITIVE_INFINITY, limitOfGroups());
}

/**
 * Finds the lowest limit of this process's groups, on whichever it is set: a service's own (`MemoryMax=`), or that of a slice or a
 * container above it. Infinite without a limit or groups.
 * @param root,mine the folder of the groups and the list of our own; tests have others.
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
