import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os, { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { limitOfGroups, usableMemory, usualWebWorkers } from "./usable-memory.ts";

const MB = 2 ** 20;

/** Groups as the kernel shows them: which file of which folder holds what. */
function groups(t: { after(fn: () => void): void }, mine: string, files: Record<string, string>) {
  const root = mkdtempSync(path.join(tmpdir(), "groups-"));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), `${text}\n`);
  }
  writeFileSync(path.join(root, "mine"), `${mine}\n`);
  return limitOfGroups(root, path.join(root, "mine"));
}

test("the limit counts wherever up the tree it is set, and the lowest of several", (t) => {
  const mine = "0::/system.slice/spawnpoint.service";
  const service = { "system.slice/spawnpoint.service/memory.max": "max", "system.slice/memory.max": `${700 * MB}` };
  assert.equal(groups(t, mine, service), 700 * MB);
  assert.equal(groups(t, mine, { ...service, "system.slice/spawnpoint.service/memory.max": `${512 * MB}` }), 512 * MB);
  assert.equal(
    groups(t, "0::/", { "memory.max": `${256 * MB}` }),
    256 * MB,
    "a container sees its own group as the root",
  );
});

test("so it does with the groups of older kernels, beside which the new ones are empty", (t) => {
  const files = {
    "memory/docker/one/memory.limit_in_bytes": `${512 * MB}`,
    "memory/memory.limit_in_bytes": "9223372036854771712",
  };
  assert.equal(groups(t, "4:memory:/docker/one\n1:cpu:/docker/one\n0::/", files), 512 * MB);
});

test("without groups, or without a limit, it is the machine's", (t) => {
  assert.equal(groups(t, "0::/user.slice", { "user.slice/memory.max": "max" }), Number.POSITIVE_INFINITY);
  assert.equal(limitOfGroups("/no/such/folder", "/no/such/file"), Number.POSITIVE_INFINITY);
  assert.ok(usableMemory() > 64 * MB && usableMemory() <= os.totalmem());
});

test("two web processes run where there is room, one on a small machine, and otherwise one a core but one", () => {
  const GB = 1024 * MB;
  const cases: [memory: number, cores: number, workers: number][] = [
    [0.9 * GB, 8, 1],
    [1 * GB, 2, 1],
    // A machine that is sold as 2 GB.
    [1.9 * GB, 2, 2],
    [1.9 * GB, 1, 2],
    [1 * GB, 4, 3],
    [64 * GB, 128, 64],
  ];
  for (const [memory, cores, workers] of cases)
    assert.equal(usualWebWorkers(memory, cores), workers, `${memory} ${cores}`);
});
