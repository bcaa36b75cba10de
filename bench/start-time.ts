/**
 * P13: from `npm start` on an installed checkout to the first page ÷ a bare node:http server started alike; and the same for the very
 * first start, which makes the database.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { findFreePort } from "#tests/helpers/network/free-port.ts";
import { measurePairs, pairsWanted, rowOfPairs } from "./instruments/pairs.ts";
import { readProcessTree } from "./instruments/process-tree.ts";
import type { Row } from "./instruments/row.ts";

/** A site stops in order within some fifteen seconds, a busy machine may take longer. */
const GONE_WITHIN_MS = 60_000;

export async function measure(): Promise<Row[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "spawnpoint-bench-"));
  const port = await findFreePort();
  const bareServer = `require("node:http").createServer((_, response) => response.end("page")).listen(${port}, "127.0.0.1")`;
  let starts = 0;
  const start = (command: string[], data = "data") => measureStart(command, port, path.join(folder, data));
  const bare = () => start(["node", "-e", bareServer]);
  const anew = () => {
    starts += 1;
    return start(["npm", "start"], `first-${starts}`);
  };
  try {
    // Where something has changed it builds; that is not what is measured.
    await start(["npm", "start"]);
    const again = await measurePairs(() => start(["npm", "start"]), bare);
    const first = await measurePairs(anew, bare, pairsWanted(3));
    return [
      {
        claim: "P13",
        what: "npm start to the first page ÷ bare node:http",
        ...rowOfPairs(again, "ms"),
        floor: 45,
        goal: 20,
        better: "less",
      },
      {
        claim: "P13",
        what: "the very first npm start, which makes the database, to the first page ÷ bare node:http",
        ...rowOfPairs(first, "ms"),
        floor: 120,
        goal: 60,
        better: "less",
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Milliseconds from the start of the command to the first 200 on /; then it is ended. */
async function measureStart([program = "", ...args]: string[], port: number, dataDir: string): Promise<number> {
  const url = `http://127.0.0.1:${port}/`;
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: String(port),
    HOST: "127.0.0.1",
    SITE_URL: "",
    DATABASE_URL: "",
    LOG_LEVEL: "warn",
  };
  const startedAt = performance.now();
  const child = spawn(program, args, {
    cwd: path.join(import.meta.dirname, ".."),
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(child, "close");
  for (;;) {
    const answer = await fetch(url).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.status === 200) break;
    if (child.exitCode !== null) throw new Error(`${program} ended with code ${child.exitCode} before the first page`);
    await pause(10);
  }
  const ms = performance.now() - startedAt;
  // npm is gone before the site that it started, and that before nobody holds its folder.
  const tree = await readProcessTree(child.pid ?? 0);
  child.kill("SIGTERM");
  await ended;
  for (let waited = 0; waited < GONE_WITHIN_MS && tree.some(({ pid }) => isThere(pid)); waited += 100) await pause(100);
  await pause(1000);
  return ms;
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
