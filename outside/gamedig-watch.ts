/** Starts one gamedig process without permissions except a channel, and kills it when it grows or hangs. */
import { fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type { Duplex } from "node:stream";
import type { FromChild, ToChild } from "./gamedig-child.ts";

const HEAP_MB = 96;
const MOST_RSS_BYTES = 256 * 1024 * 1024;
const LOOK_MS = 100;
/** Checks, not milliseconds: while this process is stalled, nothing is counted. */
const LOOKS_TO_STALL = 5000 / LOOK_MS;
const LOOKS_TO_START = 20_000 / LOOK_MS;
/** Without a reply to this many checks, it was busy with the bytes it read last. */
const LOOKS_TO_BLAME = 3;

export type ChildEnd = {
  wasReady: boolean;
  /** The query whose bytes were read last; null if they are not to blame. */
  blamed: number | null;
  /** It was busy with them at its end. */
  isCertain: boolean;
};

/** Starts a process. `onEnd` is called once, unless `kill` ended it. */
export function startGamedigChild(options: {
  onMessage(message: FromChild): void;
  onEnd(end: ChildEnd): void;
  isBusy(): boolean;
}) {
  const child = fork(path.join(import.meta.dirname, "gamedig-child.ts"), [], {
    // No environment, no files but its own program, no child processes; its output is ignored.
    env: {},
    execArgv: [
      `--max-old-space-size=${HEAP_MB}`,
      "--disable-warning=ExperimentalWarning",
      "--permission",
      "--allow-net",
      ...readableFolders().map((folder) => `--allow-fs-read=${folder}`),
    ],
    stdio: ["ignore", "ignore", "ignore", "ipc", "pipe"],
  });
  let isReady = false;
  let isOver = false;
  let blamed: number | null = null;
  let unanswered = 0;
  let pings = 0;

  const marks = child.stdio[4] as Duplex;
  let rest = Buffer.alloc(0);
  marks.on("data", (bytes: Buffer) => {
    const all = Buffer.concat([rest, bytes]);
    const whole = all.length - (all.length % 4);
    if (whole > 0) blamed = all.readUInt32LE(whole - 4);
    rest = all.subarray(whole);
  });
  marks.on("error", () => {});

  const end = (): void => {
    if (isOver) return;
    isOver = true;
    clearInterval(look);
    child.kill("SIGKILL");
    options.onEnd({ wasReady: isReady, blamed, isCertain: unanswered >= LOOKS_TO_BLAME });
  };
  const look = setInterval(() => {
    unanswered++;
    if (!isReady) {
      if (unanswered > LOOKS_TO_START) end();
      return;
    }
    const rss = residentBytes(child.pid);
    // Messages that arrived while this process was stalled are read first.
    if (unanswered > LOOKS_TO_STALL) setImmediate(() => unanswered > LOOKS_TO_STALL && end());
    else if (rss !== null && rss > MOST_RSS_BYTES) setImmediate(end);
    if (unanswered <= 1) send({ ping: ++pings });
  }, LOOK_MS).unref();

  const send = (message: ToChild): void => {
    if (child.connected) child.send(message, () => {});
  };
  child.on("message", (message: FromChild) => {
    if ("pong" in message) {
      if (message.pong === pings) unanswered = 0;
      if (message.rss > MOST_RSS_BYTES) end();
      return;
    }
    if ("ready" in message) {
      isReady = true;
      unanswered = 0;
    }
    if (!isOver) options.onMessage(message);
  });
  child.on("error", end);
  child.on("exit", () => {
    // It died by itself, for instance of a full heap: the bytes it was reading are to blame.
    if (options.isBusy()) unanswered = Math.max(unanswered, LOOKS_TO_BLAME);
    end();
  });
  // Queries delay our exit; an idle process does not.
  child.unref();
  child.channel?.unref();
  (marks as Duplex & { unref?(): void }).unref?.();

  return {
    pid: child.pid ?? null,
    isReady: () => isReady,
    send,
    kill() {
      isOver = true;
      clearInterval(look);
      child.kill("SIGKILL");
    },
  };
}

/** Lists the program itself and the packages it loads: not the data folder, which holds secrets. */
function readableFolders(): string[] {
  const gamedig = createRequire(import.meta.url).resolve("gamedig");
  const packages = gamedig.slice(0, gamedig.lastIndexOf(`${path.sep}node_modules${path.sep}`));
  return [
    import.meta.dirname,
    path.join(import.meta.dirname, "..", "package.json"),
    path.join(import.meta.dirname, "..", "node_modules"),
    path.join(packages, "node_modules"),
    path.join(packages, "package.json"),
  ];
}

/** Reads the process's memory from the system (Linux); null elsewhere. */
function residentBytes(pid: number | undefined): number | null {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) * 1024;
  } catch {
    return null;
  }
}
