import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { lockDataFolder } from "./data-folder-lock.ts";

async function makeFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "spawnpoint-lock-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return path.join(folder, "data");
}

/** Another process that takes the folder and keeps it until it is killed. */
async function lockElsewhere(dataDir: string) {
  const program = `
    import { lockDataFolder } from ${JSON.stringify(new URL("./data-folder-lock.ts", import.meta.url).href)};
    try { lockDataFolder(${JSON.stringify(dataDir)}); console.log("held"); setInterval(() => {}, 1000); }
    catch (error) { console.log(error.message); }`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said] = await once(child.stdout, "data");
  return { child, said: String(said).trim() };
}

test("a second start is refused at once and told who has the folder", async (t) => {
  const dataDir = await makeFolder(t);
  const { child, said } = await lockElsewhere(dataDir);
  t.after(() => child.kill("SIGKILL"));
  assert.equal(said, "held");
  assert.throws(() => lockDataFolder(dataDir), {
    name: "StartError",
    message: new RegExp(`already runs on ${dataDir}: process ${child.pid}, started at \\d{4}-`),
  });
});

test("of many starts at the same moment one gets the folder", async (t) => {
  const dataDir = await makeFolder(t);
  const tries = await Promise.all([1, 2, 3, 4].map(() => lockElsewhere(dataDir)));
  for (const { child } of tries) child.kill("SIGKILL");
  assert.equal(tries.filter(({ said }) => said === "held").length, 1);
  assert.equal(tries.filter(({ said }) => said.startsWith("Spawnpoint already runs on")).length, 3);
});

test("kill -9 of the holder frees the folder without a hand step", async (t) => {
  const dataDir = await makeFolder(t);
  const { child } = await lockElsewhere(dataDir);
  child.kill("SIGKILL");
  await once(child, "exit");
  lockDataFolder(dataDir).release();
});

test("what was released can be taken again; only we can enter the folder", async (t) => {
  const dataDir = await makeFolder(t);
  lockDataFolder(dataDir).release();
  lockDataFolder(dataDir).release();
  assert.equal((await stat(dataDir)).mode & 0o777, 0o700);
});

test("lock and holder are for their owner alone, whatever the umask, also where an earlier version left them open", async (t) => {
  const dataDir = await makeFolder(t);
  const before = process.umask(0);
  t.after(() => process.umask(before));
  const modes = async () =>
    Promise.all(
      ["lock.sqlite", "holder.json"].map(
        async (name) => `${name} ${((await stat(path.join(dataDir, name))).mode & 0o777).toString(8)}`,
      ),
    );
  lockDataFolder(dataDir).release();
  assert.deepEqual(await modes(), ["lock.sqlite 600", "holder.json 600"]);
  for (const name of ["lock.sqlite", "holder.json"]) await chmod(path.join(dataDir, name), 0o666);
  lockDataFolder(dataDir).release();
  assert.deepEqual(await modes(), ["lock.sqlite 600", "holder.json 600"]);
});

test("a folder that cannot be written to is one line that names DATA_DIR", async (t) => {
  const dataDir = await makeFolder(t);
  await writeFile(dataDir, "a file stands in the way");
  assert.throws(() => lockDataFolder(dataDir), {
    name: "StartError",
    message: /^DATA_DIR [^\n]+ cannot be used: [^\n]+$/,
  });
  assert.throws(() => lockDataFolder("/dev/null/data"), { name: "StartError", message: /^DATA_DIR / });
  await chmod(dataDir, 0o600);
});
