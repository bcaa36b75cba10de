import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

/** More than a pipe holds. */
const LINES = 20_000;

const start = (code: number) =>
  spawn(process.execPath, [
    "--input-type=module",
    "-e",
    `import { exitWhenWritten } from ${JSON.stringify(new URL("./exit-when-written.ts", import.meta.url))};
     for (let line = 1; line <= ${LINES}; line++) console.log("line " + line);
     await exitWhenWritten(${code});
     console.log("went on");`,
  ]);

test("who reads slowly gets all of it, and the code", async () => {
  const program = start(3);
  await pause(500);
  const parts: Buffer[] = [];
  program.stdout.on("data", (part) => parts.push(part));
  const [code] = await once(program, "close");
  const lines = Buffer.concat(parts).toString().trim().split("\n");
  assert.deepEqual([code, lines.length, lines.at(-1)], [3, LINES, `line ${LINES}`]);
});

test("who reads no further does not keep it, nor change the code", async () => {
  const program = start(3);
  await once(program.stdout, "data");
  program.stdout.destroy();
  program.stderr.setEncoding("utf8").on("data", (text) => assert.fail(text));
  const [code] = await once(program, "close");
  assert.equal(code, 3);
});
