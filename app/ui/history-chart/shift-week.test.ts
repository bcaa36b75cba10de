import assert from "node:assert/strict";
import { test } from "node:test";
import { bestTime, shiftWeek } from "./shift-week.ts";

const week = Array.from({ length: 168 }, (_, place) => place);

test("Monday 0:00 UTC is Monday 1:00 in Berlin, Sunday 19:00 in New York, Monday 14:00 on Kiritimati", () => {
  for (const [offset, place] of [
    [0, 0],
    [60, 1],
    [-300, 163],
    [840, 14],
    [-720, 156],
    [345, 6],
  ] as const) {
    const shifted = shiftWeek(week, offset);
    assert.equal(shifted.indexOf(0), place, String(offset));
    assert.deepEqual(
      shifted.toSorted((a, b) => (a ?? 0) - (b ?? 0)),
      week,
    );
  }
});

test("not measured stays not measured", () => {
  assert.equal(
    shiftWeek(
      week.with(5, Number.NaN).map((hour) => (Number.isNaN(hour) ? null : hour)),
      60,
    )[6],
    null,
  );
});

test("the best two hours may lie over midnight on Sunday; too little or nobody is said so", () => {
  const quiet = Array<number | null>(168).fill(1);
  assert.deepEqual(bestTime(quiet.with(167, 8).with(0, 6)), { place: 167, players: 7 });
  assert.equal(bestTime(Array<number | null>(168).fill(0)), "nobody");
  assert.equal(bestTime(Array<number | null>(168).fill(null).fill(9, 0, 23)), "few");
  assert.deepEqual(bestTime(quiet.with(10, 90).with(11, null).with(9, null)), { place: 0, players: 1 });
});
