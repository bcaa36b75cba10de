/** How much a process weighs, seen from outside. */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";

/** Resident memory in bytes. */
export function residentBytes(pid: number): number {
  const { stdout } = spawnSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" });
  return Number(stdout.trim()) * 1024;
}

/** Open descriptors; NaN where the system does not tell (/proc). */
export function openDescriptors(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return Number.NaN;
  }
}
