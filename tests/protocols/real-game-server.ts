/** Real game servers of Debian's packages, run on loopback for a test. */
import { type ChildProcess, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import type { TestContext } from "node:test";
import type { GameAnswer, QueryResult } from "#outside/game-query/answer.ts";

const address = "127.0.0.1";

/** A port that is free for TCP and UDP alike. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const server = createServer();
    server.listen(0, address);
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    const socket = createSocket("udp4");
    const isFree = await new Promise<boolean>((resolve) => {
      socket.once("error", () => resolve(false));
      socket.bind(port, address, () => resolve(true));
    });
    if (isFree) socket.close();
    server.close();
    await once(server, "close");
    if (isFree) return port;
  }
}

/** A folder that anybody may write to, gone with the test. */
export async function folderFor(context: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "spawnpoint-real-server-"));
  context.after(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o777);
  return folder;
}

/** Ends with the test. */
export function runUntilOver(context: TestContext, program: string, args: string[], folder: string): ChildProcess {
  const child = spawn(program, args, { stdio: "ignore", env: { HOME: folder, PATH: "/usr/bin:/bin" }, cwd: folder });
  const ended = once(child, "exit");
  context.after(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return child;
}

/** What it answers once it is up: asks again and again, for 20 s. */
export async function firstAnswer(ask: () => Promise<QueryResult>): Promise<GameAnswer> {
  const until = performance.now() + 20_000;
  for (;;) {
    const result = await ask();
    if (result.ok) return result.answer;
    if (performance.now() > until) throw new Error(`It does not answer: ${result.failure}.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
