import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import * as date from "./date-text.ts";

const at = Date.UTC(2026, 10, 23, 22, 30, 5);
const HOUR_MS = 3_600_000;

test("one form a language, with 24 hours", () => {
  assert.equal(date.momentText(at, "en", "UTC"), "23 Nov 2026, 22:30");
  assert.equal(date.momentText(at, "de", "UTC"), "23. Nov. 2026, 22:30");
  assert.equal(date.momentText(at - 22 * HOUR_MS, "en", "UTC"), "23 Nov 2026, 00:30");
  assert.equal(date.dayText(at, "en", "UTC"), "23 Nov 2026");
  assert.equal(date.shortDayText(at, "de", "UTC"), "23. Nov.");
  assert.equal(date.monthText(at, "en", "UTC"), "Nov 2026");
  assert.equal(date.weekdayText(at, "en", "UTC"), "Mon 23 Nov");
  assert.equal(date.weekdayText(at, "de", "UTC"), "Mo 23. Nov.");
  assert.equal(date.longWeekdayText(at, "en", "UTC"), "Monday 23 November");
  assert.equal(date.longWeekdayText(at, "de", "UTC"), "Montag, 23. November");
});

test("the zone is the one asked for, and named where it may be another", () => {
  assert.equal(date.clockText(at, "en", "Asia/Kolkata"), "04:00");
  assert.equal(date.dayText(at, "en", "Asia/Kolkata"), "24 Nov 2026");
  assert.equal(date.zonedMomentText(at, "en", "UTC"), "23 Nov 2026, 22:30 UTC");
  assert.equal(date.exactText(at, "en", "Europe/Berlin"), "23 Nov 2026, 23:30:05 CET");
});

test("of today the time is enough", () => {
  assert.equal(date.recentText(at, at + HOUR_MS, "en", "Etc/GMT"), "22:30");
  assert.equal(date.recentText(at, at + 2 * HOUR_MS, "en", "Etc/GMT"), "23 Nov 2026, 22:30");
  assert.equal(date.recentText(at, at, "en", "UTC"), "22:30 UTC");
});

test("a span says its day once", () => {
  assert.equal(date.momentsText(at, at, "en", "UTC"), "23 Nov 2026, 22:30");
  assert.equal(date.momentsText(at, at + HOUR_MS, "en", "UTC"), "23 Nov 2026, 22:30–23:30");
  assert.equal(date.momentsText(at, at + 2 * HOUR_MS, "en", "UTC"), "23 Nov 2026, 22:30 – 24 Nov 2026, 00:30");
  assert.equal(date.spanText(at, at + HOUR_MS, "en", "UTC", false), "22:30–23:30");
  assert.equal(date.spanText(at, at + HOUR_MS, "en", "UTC", true), "Mon 23 Nov 22:30–23:30");
  assert.equal(date.spanText(at, at + 2 * HOUR_MS, "en", "UTC", false), "Mon 23 Nov 22:30 – Tue 24 Nov 00:30");
});

/** What is not written for readers: which zone a browser is in, and the value of a date field. */
const OTHERS = ["shared/text/date-text.ts", "app/ui/reader-zone.ts", "app/routes/admin/wall-time.ts"];
/** The letter of the specification has its own form. */
const LEGAL = "app/ui/legal-text/legal-text.tsx";

test("no other file writes dates", () => {
  const root = path.join(import.meta.dirname, "../..");
  const rooms = "{app,content,domain,jobs,shared,web}/**/*.{ts,tsx}";
  const files = globSync(rooms, { cwd: root, exclude: ["app/paraglide"] });
  const writers = files.filter(
    (file) =>
      !file.includes(".test.") &&
      /\bDateTimeFormat\b|toLocale(Date|Time)?String/.test(readFileSync(path.join(root, file), "utf8")),
  );
  assert.deepEqual(writers.sort(), [...OTHERS, LEGAL].sort());
});
