/** P13: from `npm start` on an installed checkout to the first page, beside a bare node:http server started alike. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const RUNS = 7;
const FLOOR_MS = 5000;
const GOAL_MS = 2000;

const root = path.join(import.meta.dirname, "..");
const folder = await mkdtemp(path.join(os.tmpdir(), "spawnpoint-bench-"));
const port = await findFreePort();
const url = `http://127.0.0.1:${port}/`;
const env = {
  ...process.env,
  DATA_DIR: path.join(folder, "data"),
  PORT: String(port),
  HOST: "127.0.0.1",
  SITE_URL: "",
  DATABASE_URL: "",
  LOG_LEVEL: "warn",
};
const bareServer = `require("node:http").createServer((_, response) => response.end("page")).listen(${port}, "127.0.0.1")`;

// The first start makes the database and, where something has changed, builds; it is not what is measured.
console.log(`very first start, database made: ${Math.round(await measure(["npm", "start"]))} ms`);
const ours: number[] = [];
const bare: number[] = [];
for (let run = 0; run < RUNS; run += 1) {
  ours.push(await measure(["npm", "start"]));
  bare.push(await measure(["node", "-e", bareServer]));
}
await rm(folder, { recursive: true, force: true });

console.log(`npm start to the first page: ${ours.map((ms) => Math.round(ms)).join(", ")} ms`);
console.log(`bare node:http to the first page: ${bare.map((ms) => Math.round(ms)).join(", ")} ms`);
const ratios = ours.map((ms, run) => ms / (bare[run] ?? 1));
console.log(
  `P13 median ${Math.round(median(ours))} ms (floor ${FLOOR_MS}, goal ${GOAL_MS}); ${median(ratios).toFixed(1)} × bare`,
);
process.exit(median(ours) <= FLOOR_MS ? 0 : 1);

/** Milliseconds from the start of the command to the first 200 on /; then it is ended. */
async function measure([program = "", ...args]: string[]): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(program, args, { cwd: root, env, stdio: ["ignore", "ignore", "inherit"] });
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

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
