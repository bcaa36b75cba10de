import assert from "node:assert/strict";
import { test } from "node:test";
import { rangesWithin } from "./ranges.ts";

const HOUR = 3_600_000;

test("a range is there once the shorter one is full, and all are where nobody knows since when it is watched", () => {
  const within = (hours: number) => rangesWithin(hours * HOUR).join(" ");
  assert.equal(within(0), "24h");
  assert.equal(within(24), "24h");
  assert.equal(within(24.1), "24h 7d");
  assert.equal(within(8 * 24), "24h 7d 30d");
  assert.equal(within(31 * 24), "24h 7d 30d 1y");
  assert.equal(rangesWithin(null).join(" "), "24h 7d 30d 1y");
});
