/** P13: from `npm start` on an installed checkout to the first page, beside a bare node:http server started alike. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { measurePairs, median, percentile } from "./instruments/pairs.ts";
import type { Row } from "./instruments/row.ts";

export async function measure(): Promise<Row[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "spawnpoint-bench-"));
  const port = await findFreePort();
  const bareServer = `require("node:http").createServer((_, response) => response.end("page")).listen(${port}, "127.0.0.1")`;
  const start = (command: string[]) => measureStart(command, port, path.join(folder, "data"));
  try {
    // The first start makes the database and, where something has changed, builds; it is not what is measured.
    const first = await start(["npm", "start"]);
    const pairs = await measurePairs(
      () => start(["npm", "start"]),
      () => start(["node", "-e", bareServer]),
    );
    return [
      {
        claim: "P13",
        what: `npm start to the first page (the very first, which makes the database: ${first.toFixed(0)} ms)`,
        ours: `${median(pairs.ours).toFixed(0)} ms`,
        baseline: `${median(pairs.baseline).toFixed(0)} ms bare node:http`,
        value: median(pairs.ours) / 1000,
        unit: " s",
        spread: [percentile(pairs.ours, 0) / 1000, percentile(pairs.ours, 1) / 1000],
        floor: 5,
        goal: 2,
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
  child.kill("SIGTERM");
  await ended;
  // npm is gone before the site that it started; the port tells when that is.
  while (
    await fetch(url).then(
      () => true,
      () => false,
    )
  )
    await pause(50);
  await pause(1000);
  return ms;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}
