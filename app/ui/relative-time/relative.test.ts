import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { durationText, relativeText } from "./relative.ts";

const now = Date.UTC(2026, 10, 20, 12);
const ago = (seconds: number) => relativeText(now - seconds * 1000, now, "en");

describe("relativeText", () => {
  it("counts no clock that runs a little ahead as the future", () => {
    assert.equal(ago(-30), "now");
    assert.equal(ago(-3600), "in 1 hour");
  });

  it("takes the largest unit that fits, and never rounds up to the next", () => {
    assert.equal(ago(0), "now");
    assert.equal(ago(12), "12 seconds ago");
    assert.equal(ago(59), "59 seconds ago");
    assert.equal(ago(60), "1 minute ago");
    assert.equal(ago(3599), "59 minutes ago");
    assert.equal(ago(2 * 3600), "2 hours ago");
    assert.equal(ago(44 * 3600), "1 day ago");
    assert.equal(ago(3 * 86_400), "3 days ago");
    assert.equal(ago(70 * 86_400), "2 months ago");
    assert.equal(ago(800 * 86_400), "2 years ago");
  });

  it("speaks the reader's language", () => {
    assert.equal(relativeText(now - 12_000, now, "de"), "vor 12 Sekunden");
  });
});

describe("durationText", () => {
  it("is never negative, and takes the largest unit that fits", () => {
    assert.equal(durationText(now + 5_000, now, "en"), "0 seconds");
    assert.equal(durationText(now - 12_000, now, "en"), "12 seconds");
    assert.equal(durationText(now - 60_000, now, "en"), "1 minute");
    assert.equal(durationText(now - 5 * 3_600_000, now, "en"), "5 hours");
    assert.equal(durationText(now - 5 * 3_600_000, now, "de"), "5 Stunden");
  });
});
