import assert from "node:assert/strict";
import { test } from "node:test";
import { withGaps } from "./with-gaps.ts";

const points = (at: number[]) => ({
  range: "24h",
  from: 0,
  to: 9_000,
  step: 300,
  at,
  average: at.map(() => 2),
  lowest: at.map(() => 0),
  highest: at.map(() => 5),
  downs: [],
});

test("neighbours stay joined, a gap breaks the line, and 0 stays 0", () => {
  const [times, highest, lowest, average] = withGaps(points([0, 300, 1_200, 1_500]), 30);
  assert.deepEqual(times, [0, 300, 600, 1_200, 1_500]);
  assert.deepEqual(highest, [5, 5, null, 5, 5]);
  assert.deepEqual(lowest, [0, 0, null, 0, 0]);
  assert.deepEqual(average, [2, 2, null, 2, 2]);
});

test("who is asked every ten minutes has no gap between two answers", () => {
  assert.deepEqual(withGaps(points([0, 600, 1_200, 3_300]), 600)[0], [0, 600, 1_200, 1_500, 3_300]);
});

test("nothing measured is nothing drawn", () => {
  assert.deepEqual(withGaps(points([]), 30), [[], [], [], []]);
});
