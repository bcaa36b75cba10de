import assert from "node:assert/strict";
import { test } from "node:test";
import { LOCK_KINDS, LOCKS } from "./advisory-locks.ts";

test("no two advisory locks have one number", () => {
  for (const numbers of [Object.values(LOCKS), Object.values(LOCK_KINDS)] as number[][])
    assert.equal(new Set(numbers).size, numbers.length);
});
