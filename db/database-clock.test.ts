import assert from "node:assert/strict";
import { test } from "node:test";
import { createDatabaseClock } from "./database-clock.ts";

test("the database's time goes on by the steady clock, and only a real jump is one", () => {
  let steady = 0;
  const clock = createDatabaseClock(() => steady);
  assert.equal(clock.set(1_000_000, 0, 100), 0);
  steady = 5_000;
  assert.ok(Math.abs(clock.now() - 1_005_000) <= 100);
  // A statement that hung for 30 s read its time at some moment in between: no jump.
  steady = 40_000;
  assert.equal(clock.set(1_012_000, 10_000, 40_000), 0);
  // Small drift is followed without a word.
  steady = 50_000;
  assert.equal(clock.set(1_050_900, 49_990, 50_000), 0);
  assert.ok(Math.abs(clock.now() - 1_050_900) <= 10);
  steady = 60_000;
  assert.ok(clock.set(1_060_900 + 3_600_000, 59_990, 60_000) > 3_599_000);
  assert.ok(Math.abs(clock.now() - 4_660_900) <= 10);
  steady = 70_000;
  assert.ok(clock.set(1_070_900, 69_990, 70_000) < -3_599_000);
});
