/** Runs one of our commands as a child process: reports readiness, end, and last output. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { MEND_FIRST } from "../start-error.ts";
import { askForSockets, giveSockets, type KeptSocket, type ListeningSocket } from "./listening-socket.ts";
import type { RunningPart } from "./supervise.ts";

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
 * @param options.sockets sockets to take over from another process; announced by `--inherit`
 * @param options.kept where it stores a copy of its socket, and takes one if its predecessor gives none
 * @param options.onBehalf another process waits for the child's sockets through this one
 */
export function startChild(options: {
  args: string[];
  env: NodeJS.ProcessEnv;
  printLine(line: string): void;
  onReady?(port: number | undefined): void;
  origin?: { node: string; program: string } | undefined;
  sockets?: ListeningSocket[] | undefined;
  kept?: KeptSocket | undefined;
  onBehalf?: boolean;
}): RunningPart {
  const { node, program } = options.origin ?? OWN_ORIGIN;
  const { sockets = [], kept } = options;
  const revives = sockets.length === 0 && kept?.isThere === true;
  const inherits = revives ? ["--inherit", "--again"] : sockets.length > 0 ? ["--inherit"] : [];
  const child = spawn(node, [program, ...options.args, ...inherits], {
    env: options.env,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  if (revives) kept.give(child);
  else if (sockets.length > 0) void giveSockets(child, sockets);
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
  let answers = false;
  const ready = new Promise<void>((resolve) => {
    child.on("message", (message) => {
      if (typeof message !== "object" || message === null || !("ready" in message)) return;
      answers = true;
      kept?.keep(child);
      options.onReady?.("port" in message && typeof message.port === "number" ? message.port : undefined);
      resolve();
    });
  });
  return {
    ready,
    ended,
    stop: (force) => stopChild(child, ended, force),
    sockets: async () => (answers ? askForSockets(child, options.onBehalf) : []),
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

/** Returns the text of a log line, or the line. */
function messageOf(line: string): string {
  try {
    const entry: { msg?: unknown; err?: { message?: unknown } } = JSON.parse(line);
    return [entry.msg, entry.err?.message].filter((part) => typeof part === "string").join(": ") || line;
  } catch {
    return line.trim();
  }
}
