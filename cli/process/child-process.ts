/** One command of ours as a child process: when it is ready, how it ends, and what it said last. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { MEND_FIRST } from "../start-error.ts";
import type { RunningPart } from "./supervise.ts";

const SPAWNPOINT = fileURLToPath(new URL("../spawnpoint.ts", import.meta.url));

/** A command has 15 s to stop by itself; a little more than that and it is killed. */
const PATIENCE_MS = 16_000;

/**
 * Runs `spawnpoint <args>`; it is ready when it says so over the channel between us.
 * @param options.onReady is called with the port that it listens on, if any, at each of its lives.
 * @param options.program another script than ours; tests use it.
 */
export function startChild(options: {
  args: string[];
  env: NodeJS.ProcessEnv;
  printLine(line: string): void;
  onReady?(port: number | undefined): void;
  program?: string;
}): RunningPart {
  const child = spawn(process.execPath, [options.program ?? SPAWNPOINT, ...options.args], {
    env: options.env,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const lastLines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream }).on("line", (line) => {
      lastLines.push(line);
      if (lastLines.length > 20) lastLines.shift();
      options.printLine(line);
    });
  }
  const ended = new Promise<Awaited<RunningPart["ended"]>>((resolve) => {
    child.once("error", (error) => resolve({ reason: error.message }));
    child.once("close", (code, signal) =>
      resolve({ reason: describeEnd(code, signal, lastLines), hopeless: code === MEND_FIRST }),
    );
  });
  const ready = new Promise<void>((resolve) => {
    child.on("message", (message) => {
      if (typeof message !== "object" || message === null || !("ready" in message)) return;
      options.onReady?.("port" in message && typeof message.port === "number" ? message.port : undefined);
      resolve();
    });
  });
  return { ready, ended, stop: (force) => stopChild(child, ended, force) };
}

async function stopChild(child: ChildProcess, ended: Promise<unknown>, force: boolean): Promise<void> {
  child.kill(force ? "SIGKILL" : "SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
  await ended;
  clearTimeout(timer);
}

function describeEnd(code: number | null, signal: NodeJS.Signals | null, lastLines: string[]): string {
  const how = signal ? `signal ${signal}` : `exit code ${code}`;
  const error = lastLines.findLast((line) => /error/i.test(line)) ?? lastLines.at(-1);
  return error === undefined ? how : `${how}; ${messageOf(error)}`;
}

/** The text of a log line, or the line. */
function messageOf(line: string): string {
  try {
    const entry: { msg?: unknown; err?: { message?: unknown } } = JSON.parse(line);
    return [entry.msg, entry.err?.message].filter((part) => typeof part === "string").join(": ") || line;
  } catch {
    return line.trim();
  }
}
