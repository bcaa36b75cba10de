/** The days of privacy requests against the table of the specification. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { REQUEST_KINDS, REQUEST_REGIONS } from "#db/schema/contacts.ts";
import { daysLeft, privacyDeadline, type RequestKind, type RequestRegion } from "./privacy-deadlines.ts";

const created_at = new Date("2026-11-01T12:00:00Z");
const DAY = 24 * 3600 * 1000;
const deadline = (kind: RequestKind, region: RequestRegion, extended = false) =>
  privacyDeadline({ kind, region, created_at, extended });

test("only Virginia extends, once, and neither an appeal nor an opt-out", () => {
  for (const region of REQUEST_REGIONS) {
    for (const kind of REQUEST_KINDS) {
      const allowed = region === "virginia" && !["appeal", "opt_out"].includes(kind);
      assert.equal(deadline(kind, region).extendable, allowed, `${kind} ${region}`);
      assert.equal(deadline(kind, region, true).extendable, false);
      assert.equal(deadline(kind, region, true).days - deadline(kind, region).days, allowed ? 45 : 0);
    }
  }
});

test("opt-out: acted on within 15 days, wherever", () => {
  for (const region of REQUEST_REGIONS) assert.equal(deadline("opt_out", region).days, 15);
});

test("appeal: 45 days in Colorado, 60 in Connecticut and Virginia", () => {
  assert.equal(deadline("appeal", "colorado").days, 45);
  assert.equal(deadline("appeal", "connecticut").days, 60);
  assert.equal(deadline("appeal", "virginia").days, 60);
  for (const region of ["us_other", "elsewhere", "europe"] as const) assert.equal(deadline("appeal", region).days, 45);
});

test("answer: 45 days, 90 in Virginia once extended; never later than a month in Europe", () => {
  for (const kind of ["access", "correct", "delete", "copy"] as const) {
    for (const region of ["virginia", "colorado", "connecticut", "us_other", "elsewhere"] as const) {
      assert.equal(deadline(kind, region).days, 45);
    }
    assert.equal(deadline(kind, "virginia", true).days, 90);
    assert.equal(deadline(kind, "europe").days, 30);
  }
});

test("the law is named by where somebody lives", () => {
  const laws = REQUEST_REGIONS.map((region) => deadline("access", region).law);
  assert.deepEqual(laws, ["gdpr", "cpa", "ctdpa", "vcdpa", "us_state", "policy"]);
});

test("days are counted from the moment of the message, and what is over is not a day left", () => {
  const { due_at } = deadline("opt_out", "elsewhere");
  assert.equal(due_at.toISOString(), "2026-11-16T12:00:00.000Z");
  assert.equal(daysLeft(due_at, created_at.getTime()), 15);
  assert.equal(daysLeft(due_at, created_at.getTime() + 1), 15);
  assert.equal(daysLeft(due_at, due_at.getTime() - 1), 1);
  assert.equal(daysLeft(due_at, due_at.getTime()), 0);
  assert.equal(daysLeft(due_at, due_at.getTime() + 2 * DAY), -2);
});
