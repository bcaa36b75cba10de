/** What a start says of settings with which others cannot come, and of a machine on which it will not last. */
import assert from "node:assert/strict";
import os from "node:os";
import { test } from "node:test";
import { readConfig } from "#config";
import { type Machine, readMachine, startNotes } from "./start-notes.ts";

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
