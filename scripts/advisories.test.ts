/** No package that is installed has a known advisory, and which versions one is about. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Advisory,
  compareVersions,
  findAffected,
  isAffected,
  LOCKED,
  listInstalled,
  readAdvisories,
  readLock,
} from "./advisories.ts";

type Events = NonNullable<Advisory["affected"][number]["ranges"]>[number]["events"];
const about = (events: Events, more: Partial<Advisory> = {}): Advisory => ({
  id: "TEST-1",
  affected: [{ package: { ecosystem: "npm", name: "lamp" }, ranges: [{ type: "SEMVER", events }] }],
  ...more,
});

test("a version within a range is affected, wherever it is installed, and one outside is not", () => {
  const two = about([{ introduced: "1.0.0" }, { fixed: "1.4.2" }, { introduced: "2.0.0-rc.1" }, { fixed: "2.1.0" }]);
  const affected = (advisory: Advisory, versions: string) =>
    versions.split(" ").filter((version) => isAffected(advisory, "lamp", version));
  assert.deepEqual(
    affected(two, "0.9.9 1.0.0 1.4.1 1.4.2 1.9.0 2.0.0-beta.2 2.0.0-rc.1 2.0.0 2.1.0-rc.1 2.1.0 10.0.0"),
    ["1.0.0", "1.4.1", "2.0.0-rc.1", "2.0.0", "2.1.0-rc.1"],
  );
  assert.deepEqual(affected(about([{ introduced: "0" }, { last_affected: "3.0.0" }]), "0.0.1 3.0.0 3.0.1"), [
    "0.0.1",
    "3.0.0",
  ]);
  assert.deepEqual(affected(about([{ introduced: "0" }]), "99.0.0"), ["99.0.0"], "nothing fixes it yet");
  assert.deepEqual(affected(about([{ introduced: "0" }], { withdrawn: "2026-01-01T00:00:00Z" }), "1.0.0"), []);
  assert.equal(isAffected(two, "lamps", "1.0.0"), false);
  const lock = { packages: { "": { version: "1.0.0" }, "node_modules/a/node_modules/lamp": { version: "1.2.0" } } };
  assert.deepEqual(findAffected(lock, [two]), ["lamp 1.2.0: TEST-1"]);
});

test("versions are in the order of semver.org", () => {
  const order =
    "0.9.0 1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc.1 1.0.0 1.0.1 1.10.0";
  assert.deepEqual(order.split(" ").toReversed().toSorted(compareVersions).join(" "), order);
  assert.equal(compareVersions("v1.2.3+build", "1.2.3"), 0);
});

test("the versions before the last upgrades would be found", () => {
  const lock = {
    packages: { "node_modules/better-auth": { version: "1.7.6" }, "node_modules/sanitize-html": { version: "2.17.5" } },
  };
  assert.equal(findAffected(lock, readAdvisories()).length, 6);
});

for (const folder of LOCKED)
  test(`nothing that is installed in ${folder} has a known advisory`, () => {
    const lock = readLock(folder);
    assert.ok(listInstalled(lock).length > 0);
    assert.deepEqual(findAffected(lock, readAdvisories()), [], "upgrade it, and choose a version without one");
  });
