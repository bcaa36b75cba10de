import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { endLeftovers, markRun } from "./leftovers.ts";

/** One that is asked to end and does not, one that has lost its parent, and one without its parent's environment. */
const FAMILY = `
  const { spawn } = require("node:child_process");
  const wait = "process.on('SIGTERM', () => {}); setTimeout(() => {}, 60000)";
  const grandchild = "const c = require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { detached: true, stdio: 'ignore' }); console.log(c.pid); process.exit()";
  const stubborn = spawn(process.execPath, ["-e", wait]);
  const orphan = require("node:child_process").spawnSync(process.execPath, ["-e", grandchild], { encoding: "utf8" });
  const bare = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)"], { env: {} });
  console.log([stubborn.pid, Number(orphan.stdout), bare.pid].join(" "));
  setTimeout(() => {}, 60000);`;

test("what a killed program leaves running is ended, and nothing else", {
  skip: process.platform !== "linux" && "not Linux",
}, async () => {
  const { mark, env } = markRun();
  const stranger = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)"]);
  const program = spawn(process.execPath, ["-e", FAMILY], { env: { ...process.env, ...env }, detached: true });
  const [line] = await once(createInterface({ input: program.stdout }), "line");
  const pids = String(line).split(" ").map(Number);
  assert.equal(pids.filter(runs).length, 3);
  const ended = await endLeftovers(mark, 500);
  assert.equal(ended.length, 4);
  assert.deepEqual([...pids, program.pid ?? 0].filter(runs), []);
  assert.ok(runs(stranger.pid ?? 0));
  assert.deepEqual(await endLeftovers(mark), []);
  stranger.kill("SIGKILL");
});

const runs = (pid: number) =>
  /^[^ZX]/.test(spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim());
