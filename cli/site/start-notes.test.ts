/** What a start says of settings with which others cannot come, and of a machine on which it will not last. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { readConfig } from "#config";
import { describeTakenFigures } from "./port.ts";
import { describeBackupFolder, type Machine, readMachine, startNotes } from "./start-notes.ts";

const MACHINE: Machine = { root: false, ssh: undefined, user: "ann", roomMb: 50_000, memoryMb: 2000 };
const notesOf = (env: NodeJS.ProcessEnv, machine: Partial<Machine> = {}) =>
  startNotes(readConfig(env), { ...MACHINE, ...machine });

test("an address that others cannot use is told, with the setting that mends it", () => {
  assert.match(notesOf({ HOST: "0.0.0.0" }).join("\n"), /^HOST is 0\.0\.0\.0, [^\n]*SITE_URL=https:\/\/[^\n]*$/);
  assert.match(notesOf({ HOST: "192.0.2.7" }).join("\n"), /^HOST is 192\.0\.2\.7, /);
  assert.match(notesOf({ SITE_URL: "https://play.example.org" }).join("\n"), /^SITE_URL begins [^\n]* TRUST_PROXY=1$/);
  assert.match(
    notesOf({ SITE_URL: "http://203.0.113.9:3000" }).join("\n"),
    /^Nobody can come to [^\n]*HOST=0\.0\.0\.0$/,
  );
  for (const env of [
    {},
    { HOST: "::1" },
    { SITE_URL: "https://play.example.org", TRUST_PROXY: "1" },
    { SITE_URL: "http://203.0.113.9:3000", HOST: "0.0.0.0" },
    { SITE_URL: "http://localhost:3000" },
    { HOST: "0.0.0.0", SPAWNPOINT_DEMO: "1" },
  ])
    assert.deepEqual(notesOf(env), [], JSON.stringify(env));
});

test("whoever starts it over ssh is told how to open it on their own computer", () => {
  const ssh = "198.51.100.4 51532 203.0.113.9 22";
  for (const SPAWNPOINT_DEMO of ["0", "1"])
    assert.match(
      notesOf({ PORT: "3100", SPAWNPOINT_DEMO }, { ssh }).join("\n"),
      /type `ssh -N -L 3100:localhost:3100 ann@203\.0\.113\.9`, then open http:\/\/localhost:3100 there\.$/,
    );
  assert.deepEqual(notesOf({ SITE_URL: "https://play.example.org", TRUST_PROXY: "1" }, { ssh }), []);
});

test("root, a full disk and little memory are told; the demo may be root's", () => {
  const says = notesOf({}, { root: true, roomMb: 300, memoryMb: 400 }).join("\n");
  assert.match(
    says,
    /^It runs as root [^\n]*`useradd --system spawnpoint`[^\n]*\n300 MB are free [^\n]*`df -h`[^\n]*\nThis machine has 400 MB of memory, and 512 /,
  );
  assert.deepEqual(notesOf({ SPAWNPOINT_DEMO: "1" }, { root: true }), []);
  assert.deepEqual(notesOf({}, { roomMb: null }), []);
  assert.deepEqual(notesOf({ ONE_PROCESS: "0" }, { memoryMb: 480 }), [], "what is sold as 512 MB is enough");
});

test("the machine is read as it is", async () => {
  const machine = await readMachine(os.tmpdir(), { SSH_CONNECTION: "a", USER: "ann" });
  assert.ok(machine.memoryMb > 100 && (machine.roomMb ?? 0) > 0, JSON.stringify(machine));
  assert.deepEqual([machine.root, machine.ssh, machine.user], [process.getuid?.() === 0, "a", "ann"]);
  assert.equal((await readMachine("/no/such/folder", {})).roomMb, null);
});

test("ports for figures that another program has are named before the site starts, and the program", async (t) => {
  const other = createServer().listen(0, "127.0.0.1");
  t.after(() => other.close());
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const config = readConfig({ METRICS_PORT: String(port - 1), WEB_WORKERS: "1" });
  const taken = (await describeTakenFigures(config)).filter((text) => text.includes(String(port)));
  assert.match(
    taken.join(),
    new RegExp(`^Port ${port}, .*METRICS_PORT.*taken by another program \\(process ${process.pid}, `),
  );
  assert.deepEqual(await describeTakenFigures(readConfig({})), []);
});

test("a folder for backups that cannot be written to, or be made, is named with the line that makes it", async (t) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "backups-"));
  t.after(() => rm(folder, { recursive: true }));
  const said = (dir: string) => describeBackupFolder(readConfig({ BACKUP_DIR: dir }));
  assert.equal(await describeBackupFolder(readConfig({})), null);
  assert.equal(await said(folder), null);
  assert.equal(await said(path.join(folder, "to", "be", "made")), null);
  await writeFile(path.join(folder, "file"), "");
  assert.match(
    (await said(path.join(folder, "file", "below"))) ?? "",
    /^BACKUP_DIR .*\(ENOTDIR\).*install -d -m 0700 -o \w+ /,
  );
});
