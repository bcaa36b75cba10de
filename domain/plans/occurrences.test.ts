import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isLocalTime, isTimeZone, nextOccurrences, type Recurrence } from "./occurrences.ts";

const plan = (given: Partial<Recurrence>): Recurrence => ({
  first_local: "2026-03-15T04:00",
  time_zone: "Europe/Berlin",
  repeats: "weekly",
  minutes: 10,
  ...given,
});
const startsOf = (given: Partial<Recurrence>, from: string, most: number) =>
  nextOccurrences(plan(given), Date.parse(from), most).map(({ starts }) => new Date(starts).toISOString().slice(0, 16));

describe("occurrences of a plan", () => {
  it("keeps the wall clock of its zone over both nights on which clocks change", () => {
    assert.deepEqual(startsOf({}, "2026-03-16T00:00Z", 3), [
      "2026-03-22T03:00",
      "2026-03-29T02:00",
      "2026-04-05T02:00",
    ]);
    assert.deepEqual(startsOf({}, "2026-10-13T00:00Z", 3), [
      "2026-10-18T02:00",
      "2026-10-25T03:00",
      "2026-11-01T03:00",
    ]);
    assert.deepEqual(
      startsOf(
        { time_zone: "Australia/Lord_Howe", first_local: "2026-10-03T12:00", repeats: "daily" },
        "2026-10-03T00:00Z",
        2,
      ),
      ["2026-10-03T01:30", "2026-10-04T01:00"],
      "half an hour, on the other side of the world",
    );
  });

  it("takes place once on the night that has no 02:30, and once on the one that has two", () => {
    const daily = { first_local: "2026-03-01T02:30", repeats: "daily" } as const;
    assert.deepEqual(startsOf(daily, "2026-03-28T00:00Z", 3), [
      "2026-03-28T01:30",
      "2026-03-29T01:30",
      "2026-03-30T00:30",
    ]);
    assert.deepEqual(startsOf(daily, "2026-10-24T00:00Z", 3), [
      "2026-10-24T00:30",
      "2026-10-25T00:30",
      "2026-10-26T01:30",
    ]);
  });

  it("lasts its minutes on the clock that nobody puts forward", () => {
    const [night] = nextOccurrences(
      plan({ first_local: "2026-10-25T01:30", repeats: "none", minutes: 120 }),
      Date.parse("2026-10-24T12:00Z"),
      5,
    );
    assert.deepEqual(night, { starts: Date.parse("2026-10-24T23:30Z"), ends: Date.parse("2026-10-25T01:30Z") });
  });

  it("begins with the one that goes on, however long, and has none once the only one is over", () => {
    assert.deepEqual(startsOf({}, "2026-03-29T02:09Z", 1), ["2026-03-29T02:00"]);
    assert.deepEqual(startsOf({}, "2026-03-29T02:10Z", 1), ["2026-04-05T02:00"]);
    const long = { repeats: "weekly", minutes: 6 * 1440 } as const;
    assert.deepEqual(startsOf(long, "2026-03-27T02:00Z", 1), ["2026-03-22T03:00"]);
    assert.deepEqual(startsOf({ repeats: "none" }, "2026-03-15T03:10Z", 3), []);
    assert.deepEqual(startsOf({ repeats: "none" }, "2020-01-01T00:00Z", 3), ["2026-03-15T03:00"]);
    assert.deepEqual(startsOf({ first_local: "2006-03-15T04:00", repeats: "daily" }, "2026-07-01T00:00Z", 1), [
      "2026-07-01T02:00",
    ]);
  });

  it("agrees with a count of every single day of ten years, in zones with and without changes", () => {
    for (const time_zone of [
      "Europe/Berlin",
      "America/New_York",
      "Asia/Kolkata",
      "Pacific/Apia",
      "Africa/Casablanca",
      "UTC",
    ]) {
      const given = plan({ time_zone, first_local: "2020-01-01T02:30", repeats: "daily" });
      const all = nextOccurrences(given, 0, 3_650);
      assert.equal(new Set(all.map(({ starts }) => starts)).size, 3_650);
      for (const at of all.slice(1).filter((_, day) => day % 37 === 0)) {
        assert.deepEqual(
          nextOccurrences(given, at.starts - 1, 1),
          [at],
          "found from just before it, without counting from the first",
        );
        assert.ok(at.ends - at.starts === 600_000);
      }
    }
  });

  it("knows a time zone and a day from what is none", () => {
    for (const name of ["Europe/Berlin", "UTC", "America/Argentina/Buenos_Aires", "Asia/Calcutta"])
      assert.ok(isTimeZone(name), name);
    for (const name of ["", "Europe/Atlantis", "+01:00", "../etc", "Europe/Berlin\r\nX:1", "[u-ca=hebrew]"])
      assert.ok(!isTimeZone(name), name);
    assert.ok(isLocalTime("2028-02-29T23:59"));
    for (const text of ["2027-02-29T10:00", "2027-01-01T24:30", "2027-01-01", "", "12027-01-01T00:00"])
      assert.ok(!isLocalTime(text), text);
  });
});
