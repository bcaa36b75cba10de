/** Whatever a bench, a test or a journey started is gone when it ends, however it ends. It is found by a mark in its environment (Linux). */
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

const NAME = "RUN_MARKS";
/** A site stops in order in less; what it leaves running then is ended at once. */
const PATIENCE_MS = 15_000;

/** A mark for whoever is started with `env` and for all whom they start. One that is started with another's mark carries both. */
export function markRun(): { mark: string; env: Record<string, string> } {
  const mark = randomUUID();
  return { mark, env: { [NAME]: [process.env[NAME], mark].filter(Boolean).join(",") } };
}

/**
 * Ends what still runs under a mark, and its children: asked to first, then by force.
 * @returns the command lines of those that had to be ended; none where the system does not tell (/proc)
 */
export async function endLeftovers(mark: string, patienceMs = PATIENCE_MS): Promise<string[]> {
  // Who is about to end needs no word from us.
  if (listMarked(mark).length > 0) await pause(500);
  const left = listMarked(mark);
  const commands = left.map(commandOf);
  for (const pid of left) signal(pid, "SIGTERM");
  await untilGone(left, patienceMs);
  const stubborn = [...new Set([...left, ...listMarked(mark)])].filter(isAlive);
  for (const pid of stubborn) signal(pid, "SIGKILL");
  await untilGone(stubborn, PATIENCE_MS);
  return commands;
}

async function untilGone(pids: number[], ms: number): Promise<void> {
  for (let waited = 0; waited < ms && pids.some(isAlive); waited += 100) await pause(100);
}

function listMarked(mark: string): number[] {
  const parents = new Map(listPids().map((pid) => [pid, parentOf(pid)]));
  const marked = new Set(
    [...parents.keys()].filter((pid) => pid !== process.pid && readProc(pid, "environ").includes(mark)),
  );
  // Some are started without their caller's environment, as Postgres is.
  for (let before = -1; before !== marked.size; ) {
    before = marked.size;
    for (const [pid, parent] of parents) if (marked.has(parent)) marked.add(pid);
  }
  return [...marked];
}

function listPids(): number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** One that ended meanwhile has nothing to say. */
function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

/** The name of the program stands in parentheses and may hold anything. */
const afterName = (pid: number): string[] => readProc(pid, "stat").split(") ").at(-1)?.split(" ") ?? [];
const parentOf = (pid: number): number => Number(afterName(pid)[1] ?? 0);
const isAlive = (pid: number): boolean => !["", "Z", "X", undefined].includes(afterName(pid)[0]);
const commandOf = (pid: number): string => readProc(pid, "cmdline").replaceAll("\0", " ").trim();

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended by itself.
  }
}
