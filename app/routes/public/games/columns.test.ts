import assert from "node:assert/strict";
import { test } from "node:test";
import { columnsFor } from "./columns.ts";

test("the last row of cards is as full as it can be", () => {
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 24].map((cards) => [cards, columnsFor(cards, 3), columnsFor(cards, 4)]),
    [
      [1, 1, 1],
      [2, 2, 2],
      [3, 3, 3],
      [4, 2, 4],
      [5, 3, 3],
      [6, 3, 3],
      [7, 2, 4],
      [8, 2, 4],
      [9, 3, 3],
      [12, 3, 4],
      [24, 3, 4],
    ],
  );
});
