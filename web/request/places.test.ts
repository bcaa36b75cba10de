/** Places: one asker has so many, some are kept, and the line is of askers, not of requests. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { askerOfAccount, askerOfAddress } from "./fair-queue.ts";
import { createPlaces, NoPlaceError } from "./places.ts";

const visitor = askerOfAddress;
const member = (key: string) => askerOfAccount("members", key);
const KEPT = { places: 2, from: "visitors" } as const;
const reasonOf = (error: unknown) => (error instanceof NoPlaceError ? error.reason : error);

test("one asker gets no more than the own share, visitors none of the kept ones, and each hears why", async () => {
  const places = createPlaces({ most: 6, ofOne: 2, kept: KEPT, waiting: 10, patienceMs: 0 });
  const [first] = [await places.take(visitor("a")), await places.take(visitor("a"))];
  await assert.rejects(places.take(visitor("a")), (error) => reasonOf(error) === "own");
  await places.take(visitor("b"));
  await places.take(visitor("b"));
  await assert.rejects(places.take(visitor("c")), (error) => reasonOf(error) === "all");
  await places.take(member("a"));
  await places.take(member("b"));
  await assert.rejects(places.take(member("c")), (error) => reasonOf(error) === "all");
  first?.();
  first?.();
  await assert.rejects(places.take(visitor("c")), NoPlaceError, "the kept ones are members'");
  await places.take(member("c"));
});

test("who waits is let in by turns of askers, in time or not at all, and the longest line loses its last", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const places = createPlaces({
    most: 2,
    ofOne: 2,
    kept: { places: 0, from: "visitors" },
    waiting: 4,
    patienceMs: 150,
  });
  const leaves = [await places.take(visitor("a")), await places.take(visitor("a"))];
  const seen: string[] = [];
  const wait = (key: string, name: string) =>
    places.take(visitor(key)).then(
      (leave) => {
        seen.push(name);
        leaves.push(leave);
      },
      (error) => seen.push(`${name} ${reasonOf(error)}`),
    );
  const all = [wait("a", "a3"), wait("a", "a4"), wait("a", "a5"), wait("b", "b1"), wait("c", "c1")];
  await turn();
  assert.deepEqual(seen, ["a5 own"], "there was room for four");
  leaves.shift()?.();
  leaves.shift()?.();
  await turn();
  assert.deepEqual(seen.slice(1), ["a3", "b1"]);
  t.mock.timers.tick(150);
  await Promise.all(all);
  assert.deepEqual(seen.slice(3).sort(), ["a4 all", "c1 all"]);
});

test("a network gets the places of four clients, and those of one where it is one; another network gets its own", async () => {
  const places = createPlaces({
    most: 100,
    ofOne: 2,
    kept: { places: 0, from: "visitors" },
    waiting: 0,
    patienceMs: 0,
  });
  for (let client = 0; client < 8; client += 1) await places.take(visitor(`2001:db8:7:${client}::1`));
  await assert.rejects(places.take(visitor("2001:db8:7:ff::1")), (error) => reasonOf(error) === "own");
  const leave = await places.take(visitor("2001:db8:8::1"));
  await places.take(visitor("2001:db8:8::2"));
  await assert.rejects(places.take(visitor("2001:db8:8::3")), (error) => reasonOf(error) === "own");
  leave();
  await places.take(visitor("2001:db8:8::3"));
  for (let place = 0; place < 2; place += 1) await places.take(visitor("192.0.2.1"));
  await assert.rejects(places.take(visitor("192.0.2.1")), (error) => reasonOf(error) === "own");
});
