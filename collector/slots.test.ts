import assert from "node:assert/strict";
import { test } from "node:test";
import { pause } from "#tests/helpers/until.ts";
import { createSlots } from "./slots.ts";

/** Runs questions of which the test decides when they end. */
function bed(total = 100) {
  const slots = createSlots(total, 2);
  const asking: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (name: string, address: string, failing = false) => {
    slots.take();
    const work = async () => {
      asking.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
    };
    void slots.atAddress(address, address, failing, work).finally(slots.give);
  };
  const end = (name: string) => {
    ends.get(name)?.();
    return pause(1);
  };
  return { slots, asking, ask, end };
}

test("two at one address, any number of addresses, and who waits takes no slot", async () => {
  const { slots, asking, ask, end } = bed();
  for (const name of ["a1", "a2", "a3", "a4"]) ask(name, "a");
  ask("b1", "b");
  await pause(1);
  assert.deepEqual(asking, ["a1", "a2", "b1"]);
  assert.equal(slots.taken(), 3);
  await end("a1");
  assert.deepEqual(asking, ["a1", "a2", "b1", "a3"]);
  for (const name of ["a2", "b1", "a3", "a4"]) await end(name);
  assert.deepEqual(asking, ["a1", "a2", "b1", "a3", "a4"]);
  await end("a4");
  assert.equal(slots.taken(), 0);
});

test("servers known to fail never take the second place, and wait behind the living", async () => {
  const { asking, ask, end } = bed();
  ask("dead1", "a", true);
  ask("dead2", "a", true);
  ask("live1", "a");
  ask("live2", "a");
  await pause(1);
  assert.deepEqual(asking, ["dead1", "live1"]);
  await end("dead1");
  assert.deepEqual(asking, ["dead1", "live1", "live2"]);
  await end("live1");
  assert.deepEqual(asking, ["dead1", "live1", "live2", "dead2"]);
});

test("no more than the total, and a host with many waiting is named busy", async () => {
  const { slots, ask, end } = bed(5);
  for (let i = 0; i < 5; i++) ask(`x${i}`, `x${i}`);
  await pause(1);
  assert.equal(slots.room(), 0);
  await end("x0");
  assert.equal(slots.room(), 1);
  assert.deepEqual(slots.busyHosts(), []);
  for (let i = 0; i < 10; i++) ask(`y${i}`, "y");
  await pause(1);
  assert.deepEqual(slots.busyHosts(), ["y"]);
  await end("y0");
  await end("y1");
  await end("y2");
  assert.deepEqual(slots.busyHosts(), []);
});

test("who does not answer soon lends its slot, but not its place at the address", async () => {
  const { slots, asking, ask, end } = bed(2);
  ask("dead", "a");
  ask("slow", "a");
  ask("next", "a");
  await pause(1);
  assert.equal(slots.room(), 0);
  await pause(350);
  assert.equal(slots.room(), 2);
  assert.equal(slots.taken(), 2);
  assert.deepEqual(asking, ["dead", "slow"]);
  for (const name of ["slow", "next", "dead"]) await end(name);
  assert.equal(slots.taken(), 0);
  assert.equal(slots.room(), 2);
});
