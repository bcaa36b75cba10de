import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { until } from "../until.ts";

/** Starts one that ends by no signal but SIGKILL, in a group of its own, as journeys start browsers and tests databases. */
const PROGRAM = `
  import { spawn } from "node:child_process";
  import { endAllWhenInterrupted } from ${JSON.stringify(new URL("./interruption.ts", import.meta.url).href)};
  endAllWhenInterrupted();
  const stubborn = "process.on('SIGTERM', () => {}); console.log(process.pid); setInterval(() => {}, 1000)";
  const child = spawn(process.execPath, ["-e", stubborn], { detached: true, stdio: ["ignore", "inherit", "ignore"] });
  child.unref();
  setInterval(() => {}, 1000);`;

/** Starts the program below a shell, as npm does, and gives the number of what it has started. */
async function start(command: string[]): Promise<{ run: ChildProcess; started: number }> {
  const [program = "", ...args] = command;
  const run = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(createInterface({ input: run.stdout }), "line");
  return { run, started: Number(line) };
}

/** One that has ended, and that its parent has not collected yet, is not alive. */
const isAlive = (pid: number) =>
  /^[^ZX]/.test(spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim());

const skip = process.platform !== "linux" && "not Linux";
const NODE = [process.execPath, "--input-type=module", "-e", PROGRAM];

for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const) {
  test(`a run that gets ${signal} ends what it has started, and itself with ${code}`, { skip }, async () => {
    const { run, started } = await start(NODE);
    run.kill(signal);
    assert.deepEqual(await once(run, "exit"), [code, null]);
    assert.equal(isAlive(started), false);
  });
}

test("a run whose shell is killed ends, and what it has started", { skip }, async () => {
  const { run, started } = await start(["/bin/sh", "-c", '"$0" "$@"; exit', ...NODE]);
  run.kill("SIGKILL");
  await until("nothing is left", () => !isAlive(started));
});
