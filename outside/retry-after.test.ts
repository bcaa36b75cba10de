/** Whoever asks us to wait is heard, whichever way they say it, and nobody makes us wait for ever or not at all. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readRetryAfter } from "./retry-after.ts";

test("seconds or a date become whole seconds from now, between one and the longest", () => {
  for (const none of [null, undefined, "", "soon", "5 s"]) assert.equal(readRetryAfter(none), null, String(none));
  assert.equal(readRetryAfter("120"), 120);
  assert.equal(readRetryAfter("0"), 1);
  assert.equal(readRetryAfter("999999999"), 86_400);
  const inAMinute = readRetryAfter(new Date(Date.now() + 60_000).toUTCString()) ?? 0;
  assert.ok(inAMinute >= 58 && inAMinute <= 60, String(inAMinute));
  assert.equal(readRetryAfter("Wed, 21 Oct 2015 07:28:00 GMT"), 1);
});
