/** Runs one of our commands as a child process: reports readiness, end, and last output. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { MEND_FIRST } from "../start-error.ts";
import { REPLACED } from "./run-service.ts";
import type { RunningPart, StopHow } from "./supervise.ts";

/** The current Node and version. */
export const OWN_ORIGIN = {
  node: process.execPath,
  program: fileURLToPath(new URL("../spawnpoint.ts", import.meta.url)),
};

/** A command has 15 s to stop by itself; slightly later it is killed. */
const PATIENCE_MS = 16_000;

/**
 * Runs `spawnpoint <args>`; it reports readiness over its channel.
 * @param options.onReady called at each start, with the port it listens on, if any
 * @param options.origin another Node and script: those of a replacing version
 * @param options.descriptors of a `HeldPort`, to listen on; announced by `--inherit`
 */
export function startChild(options: {
  args: string[];
  env: NodeJS.ProcessEnv;
  printLine(line: string): void;
  onReady?(port: number | undefined): void;
  origin?: { node: string; program: string } | undefined;
  descriptors?: number[] | undefined;
  onExit?(): void;
}): RunningPart {
  const { node, program } = options.origin ?? OWN_ORIGIN;
  const { descriptors = [] } = options;
  const child = spawn(node, [program, ...options.args, ...(descriptors.length > 0 ? ["--inherit"] : [])], {
    env: options.env,
    stdio: ["ignore", "pipe", "pipe", "ipc", ...descriptors],
  });
  child.once("exit", () => options.onExit?.());
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
  return {
    ready,
    ended,
    stop: (how) => stopChild(child, ended, how),
  };
}

/** Runs one of our commands to its end; returns its output. */
export function runProgram(
  { node, program }: { node: string; program: string },
  args: string[],
  env: NodeJS.ProcessEnv,
): Promise<{ code: number | null; said: string }> {
  return new Promise((resolve) => {
    const child = spawn(node, [program, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        said += text;
      });
    }
    child.once("error", (error) => resolve({ code: null, said: error.message }));
    child.once("close", (code) => resolve({ code, said }));
  });
}

async function stopChild(child: ChildProcess, ended: Promise<unknown>, how: StopHow): Promise<void> {
  if (how === "replaced" && child.connected) child.send(REPLACED, () => {});
  else child.kill(how === "killed" ? "SIGKILL" : "SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
  await ended;
  clearTimeout(timer);
}

function describeEnd(code: number | null, signal: NodeJS.Signals | null, lastLines: string[]): string {
  const how = signal ? `signal ${signal}` : `exit code ${code}`;
  const error = lastLines.findLast((line) => /error/i.test(line)) ?? lastLines.at(-1);
  return error === undefined ? how : `${how}; ${messageOf(error)}`;
}

/** Returns the text of a log line, or the line. */
function messageOf(line: string): string {
  try {
    const entry: { msg?: unknown; err?: { message?: unknown } } = JSON.parse(line);
    return [entry.msg, entry.err?.message].filter((part) => typeof part === "string").join(": ") || line;
  } catch {
    return line.trim();
  }
}
