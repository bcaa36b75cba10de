/** The size of what is sent. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { canvasSize } from "./draw-crop.ts";

test("wider or taller than 512 px is scaled to fit 500 × 500, its proportions kept; smaller stays", () => {
  for (const [given, made] of [
    [
      [512, 512],
      [512, 512],
    ],
    [
      [513, 513],
      [500, 500],
    ],
    [
      [4000, 4000],
      [500, 500],
    ],
    [
      [1000, 500],
      [500, 250],
    ],
    [
      [100, 2000],
      [25, 500],
    ],
    [
      [40, 40],
      [40, 40],
    ],
    [
      [0.4, 0.4],
      [1, 1],
    ],
  ] as const) {
    const { width, height } = canvasSize({ width: given[0], height: given[1] });
    assert.deepEqual([width, height], made);
  }
});
