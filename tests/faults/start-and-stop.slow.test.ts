import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { patience, tell } from "./figure.ts";
import { killGroup, listProcessesOf, makePlace, type RealSite, startRealSite } from "./real-site.ts";

const LAUNCH = path.join(import.meta.dirname, "../../cli/launch.mjs");

async function begin(t: TestContext, options: Parameters<typeof startRealSite>[1] = {}) {
  const place = await makePlace();
  const site = startRealSite(place, options);
  t.after(async () => {
    killGroup(site.process.pid ?? 0, "SIGTERM");
    await site.ended;
    await place.remove();
  });
  return { place, site };
}

/** It ended by itself, in order, and nothing of it is left. */
async function assertEndedInOrder(site: RealSite, dataDir: string): Promise<void> {
  const asked = performance.now();
  assert.deepEqual(await site.ended, { code: 0, signal: null }, site.output());
  assert.ok(performance.now() - asked < patience(15_000));
  assert.deepEqual(await listProcessesOf(dataDir), []);
  // Postgres removes its pid file only at a shutdown that wrote everything down.
  await assert.rejects(readFile(path.join(dataDir, "postgres", "postmaster.pid")));
  assert.doesNotMatch(site.output(), /ended \(|Error/);
}

test("a taken port ends the start with its number, and takes everything down again", async (t) => {
  const stranger = createServer().listen(0, "127.0.0.1");
  await once(stranger, "listening");
  t.after(() => stranger.close());
  const address = stranger.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const { site, place } = await begin(t, { env: { PORT: String(port) } });
  assert.equal((await site.ended).code, 1);
  assert.match(site.output(), new RegExp(`PORT ${port} on 127\\.0\\.0\\.1 is taken by another program`));
  assert.deepEqual(await listProcessesOf(place.dataDir), []);
});

test("a second start on the same data folder is refused within 5 s and names the first", async (t) => {
  const { site, place } = await begin(t);
  await site.untilReady(patience(60_000));
  const before = performance.now();
  const second = startRealSite({ ...place, port: place.port + 1 });
  assert.equal((await second.ended).code, 1);
  const tookMs = performance.now() - before;
  assert.ok(tookMs < patience(5000));
  assert.match(second.output(), new RegExp(`already runs on .*: process ${site.process.pid}, started at `));
  assert.equal((await fetch(`${site.url}/readyz`)).status, 200);
  tell(
    t,
    "a second start on the same data folder",
    `refused after ${Math.round(tookMs)} ms, naming the first's process`,
  );
});

test("Ctrl-C reaches everybody at once and still ends it in order, with one line of address before", async (t) => {
  const { site, place } = await begin(t);
  await site.untilReady(patience(60_000));
  killGroup(site.process.pid ?? 0, "SIGINT");
  await assertEndedInOrder(site, place.dataDir);
  assert.match(site.output(), /^Spawnpoint is at http:\/\/localhost:\d+$/m);
});

test("SIGTERM to everybody at once, as service managers send it, ends it in order as well", async (t) => {
  const { site, place } = await begin(t);
  await site.untilReady(patience(60_000));
  killGroup(site.process.pid ?? 0, "SIGTERM");
  await assertEndedInOrder(site, place.dataDir);
});

test("SIGTERM in the moment in which it says its address ends it without an error", async (t) => {
  const { site, place } = await begin(t);
  while (!site.output().includes("Spawnpoint is at")) await pause(5);
  killGroup(site.process.pid ?? 0, "SIGTERM");
  await assertEndedInOrder(site, place.dataDir);
});

test("SIGTERM during the start ends it as well", async (t) => {
  const { site, place } = await begin(t);
  const holder = path.join(place.dataDir, "holder.json");
  while (!existsSync(holder)) await pause(5);
  site.process.kill("SIGTERM");
  await assertEndedInOrder(site, place.dataDir);
});

const launcher = [process.execPath, LAUNCH, "start", "--demo"];
/** As on Node 20, which cannot hand its process over and stays beside the site. */
const olderNode = [process.execPath, "--import", "data:text/javascript,delete process.execve", ...launcher.slice(1)];

const ENDS: [who: string, command: string[], signal: NodeJS.Signals][] = [
  ["the launcher told to end by SIGTERM", launcher, "SIGTERM"],
  ["the launcher of an older Node told to end by SIGTERM", olderNode, "SIGTERM"],
  ["the launcher of an older Node killed without a word", olderNode, "SIGKILL"],
  ["npm told to end by SIGTERM", ["npm", "start"], "SIGTERM"],
];

for (const [who, command, signal] of ENDS) {
  test(`${who} leaves nothing behind`, async (t) => {
    const { site, place } = await begin(t, { command });
    await site.untilReady(patience(60_000));
    site.process.kill(signal);
    const deadline = performance.now() + patience(15_000);
    while ((await listProcessesOf(place.dataDir)).length > 0 && performance.now() < deadline) await pause(100);
    assert.deepEqual(await listProcessesOf(place.dataDir), []);
    await assert.rejects(readFile(path.join(place.dataDir, "postgres", "postmaster.pid")));
  });
}

test("web or collector killed come back while the rest goes on", async (t) => {
  const { site, place } = await begin(t);
  await site.untilReady(patience(60_000));
  for (const name of ["web", "collector"]) {
    const isOne = (text: string) => new RegExp(`spawnpoint\\.ts ${name}( --again)?( --inherit)?$`).test(text);
    const line = (await listProcessesOf(place.dataDir)).find(isOne) ?? "";
    process.kill(Number.parseInt(line, 10), "SIGKILL");
    const deadline = performance.now() + patience(10_000);
    const isBack = async () =>
      (await listProcessesOf(place.dataDir)).some((text) => isOne(text) && text !== line) &&
      (await fetch(`${site.url}/readyz`).catch(() => null))?.status === 200;
    while (!(await isBack())) {
      assert.ok(performance.now() < deadline, `${name} did not come back:\n${site.output()}`);
      await pause(50);
    }
    assert.match(site.output(), new RegExp(`${name} ended \\(signal SIGKILL\\); starting it again in 0\\.2 s`));
  }
});
