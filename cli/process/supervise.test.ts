import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { startChild } from "./child-process.ts";
import { type Part, supervise } from "./supervise.ts";

const quickPace = { delaysMs: [5, 10, 15, 20, 25], deathsAllowed: 5, withinMs: 60_000 };

function makeLog() {
  const lines: string[] = [];
  return { lines, warn: (line: string) => void lines.push(line), info: (line: string) => void lines.push(line) };
}

/** A part whose lives run a tiny script; `$COUNT` is the file in which each life leaves a mark. */
async function makePart(t: TestContext, script: string): Promise<{ part: Part; lives(): Promise<number> }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "spawnpoint-supervise-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const program = path.join(folder, "part.mjs");
  const marks = path.join(folder, "marks");
  await writeFile(marks, "");
  await writeFile(
    program,
    `import { appendFileSync } from "node:fs"; appendFileSync(process.env.COUNT, "x"); ${script}`,
  );
  return {
    part: {
      name: "part",
      start: async () =>
        startChild({
          args: [],
          origin: { node: process.execPath, program },
          env: { ...process.env, COUNT: marks },
          printLine() {},
        }),
    },
    lives: async () => (await readFile(marks, "utf8")).length,
  };
}

test("five deaths within the minute end it, with the part, how it died and its last error", async (t) => {
  const { part, lives } = await makePart(t, `console.error("Error: the disk is on fire"); process.exit(3);`);
  const log = makeLog();
  const supervised = supervise(part, log, quickPace);
  assert.equal(
    await supervised.givenUp,
    "part ended 5 times within 60 s, at last because: exit code 3; Error: the disk is on fire",
  );
  assert.equal(await lives(), 5);
  assert.deepEqual(
    log.lines.map((line) => /again in (\S+) s$/.exec(line)?.[1]),
    ["0.005", "0.01", "0.015", "0.02"],
  );
  await supervised.stop();
});

test("a death by signal is named as such", async (t) => {
  const { part } = await makePart(t, `process.kill(process.pid, "SIGKILL");`);
  assert.match(await supervise(part, makeLog(), quickPace).givenUp, /at last because: signal SIGKILL$/);
});

test("deaths that are long ago do not count", async (t) => {
  const { part, lives } = await makePart(t, `process.exit(1);`);
  // The pause before each life alone is longer.
  const supervised = supervise(part, makeLog(), { ...quickPace, withinMs: 1 });
  let givenUp: string | null = null;
  supervised.givenUp.then((reason) => {
    givenUp = reason;
  });
  while (givenUp === null && (await lives()) < 7) await pause(10);
  assert.equal(givenUp, null);
  await supervised.stop();
});

test("a part that says that starting again will not help is given up at once", async (t) => {
  const { part, lives } = await makePart(t, `console.error("PORT 80 is taken"); process.exit(78);`);
  assert.equal(await supervise(part, makeLog(), quickPace).givenUp, "part ended: exit code 78; PORT 80 is taken");
  assert.equal(await lives(), 1);
});

test("a part that cannot be started even once is given up; later it is tried again", async () => {
  const never: Part = { name: "never", start: () => Promise.reject(new Error("no such disk")) };
  assert.equal(await supervise(never, makeLog(), quickPace).givenUp, "never ended: no such disk");
  let starts = 0;
  const once: Part = {
    name: "once",
    async start() {
      starts += 1;
      if (starts > 1) throw new Error("no space left");
      return { ready: Promise.resolve(), ended: Promise.resolve({ reason: "signal SIGKILL" }), stop: async () => {} };
    },
  };
  assert.match(
    await supervise(once, makeLog(), quickPace).givenUp,
    /5 times within 60 s, at last because: no space left/,
  );
  assert.equal(starts, 5);
});

test("deaths that something outside explains do not count, and come with the same pauses", async (t) => {
  const { part, lives } = await makePart(t, `process.exit(1);`);
  const log = makeLog();
  let full = true;
  const excused = async () => {
    full = (await lives()) < 8;
    return full;
  };
  const supervised = supervise({ ...part, excused }, log, quickPace);
  assert.match(await supervised.givenUp, /^part ended 5 times within 60 s/);
  assert.equal(full, false);
  assert.equal(await lives(), 12, "seven excused, then five that count");
  assert.deepEqual(
    log.lines.slice(0, 8).map((line) => /again in (\S+) s$/.exec(line)?.[1]),
    ["0.005", "0.01", "0.015", "0.02", "0.025", "0.025", "0.025", "0.005"],
  );
});

test("a part that dies once comes back, and ends when asked, without another life", async (t) => {
  const { part, lives } = await makePart(
    t,
    `import { readFileSync } from "node:fs";
     if (readFileSync(process.env.COUNT, "utf8") === "x") process.exit(1);
     process.on("SIGTERM", () => process.exit(0)); process.on("disconnect", () => process.exit(0));
     process.send({ ready: true });`,
  );
  const supervised = supervise(part, makeLog(), quickPace);
  await supervised.ready;
  assert.equal(await lives(), 2);
  await supervised.stop();
  await pause(100);
  assert.equal(await lives(), 2);
});

test("a retired part that somebody else ends is not started again", async (t) => {
  const { part, lives } = await makePart(
    t,
    `process.on("disconnect", () => process.exit(0)); process.send({ ready: true }); setTimeout(() => process.exit(0), 50);`,
  );
  const log = makeLog();
  const supervised = supervise(part, log, quickPace);
  await supervised.ready;
  supervised.retire();
  await pause(300);
  await supervised.stop();
  assert.equal(await lives(), 1);
  assert.deepEqual(log.lines, []);
});

test("a stop that falls into the pause before a new life does not wait for it", async (t) => {
  const { part, lives } = await makePart(t, `process.exit(1);`);
  const supervised = supervise(part, makeLog(), { ...quickPace, delaysMs: [60_000] });
  while ((await lives()) === 0) await pause(10);
  await pause(100);
  await supervised.stop();
  assert.equal(await lives(), 1);
});

test("force ends a part that does not listen", async (t) => {
  const { part } = await makePart(t, `process.on("SIGTERM", () => {}); process.send({ ready: true });`);
  const supervised = supervise(part, makeLog(), quickPace);
  await supervised.ready;
  const stopped = supervised.stop();
  supervised.kill();
  await stopped;
});
