/** Places: one asker has so many, some are kept, and the line is of askers, not of requests. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Asker } from "./fair-queue.ts";
import { createPlaces, NoPlaceError } from "./places.ts";

const visitor = (key: string): Asker => ({ group: "visitors", key });
const member = (key: string): Asker => ({ group: "members", key });
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

test("who waits is let in by turns of askers, in time or not at all, and the longest line loses its last", async () => {
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
  await pause(0);
  assert.deepEqual(seen, ["a5 own"], "there was room for four");
  leaves.shift()?.();
  leaves.shift()?.();
  await pause(0);
  assert.deepEqual(seen.slice(1), ["a3", "b1"]);
  await Promise.all(all);
  assert.deepEqual(seen.slice(3).sort(), ["a4 all", "c1 all"]);
});
