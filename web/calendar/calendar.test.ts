/** Calendars, read by a library that did not make them. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import ICAL from "ical.js";
import { nextOccurrences } from "#domain/plans/occurrences.ts";
import type { ShownPlan } from "#domain/plans/shown-status.ts";
import type { Scope } from "../feeds/scope.ts";
import type { SiteSnapshot } from "../pages/site-snapshot.ts";
import { calendarOf } from "./calendar.ts";

const NOW = Date.parse("2026-03-01T12:00Z");
const plan = (given: Partial<ShownPlan>): ShownPlan => ({
  plan_id: 1,
  kind: "restart",
  server_id: null,
  game_slug: null,
  title: null,
  first_local: "2026-01-04T04:00",
  time_zone: "Europe/Berlin",
  repeats: "weekly",
  minutes: 10,
  ended: false,
  updated_at: "2026-01-02T00:00:00.000Z",
  occurrences: [],
  ...given,
});

/** As much of the site as a calendar reads. */
const site = (plans: ShownPlan[]) =>
  ({
    plans,
    games: [{ game_slug: "valheim", game_name: "Valheim" }],
    gameServers: [
      { server_id: 7, server_name: "Longhall, north; \\ and\r\nBEGIN:VEVENT", game_slug: "valheim" },
      { server_id: 8, server_name: "Harbour", game_slug: "valheim" },
    ],
    settings: { site_name: "Ada, Bob; & Co" },
    site_url: "https://play.example",
  }) as unknown as SiteSnapshot;

function read(plans: ShownPlan[], scope: Scope = { of: "site" }, locale: "en" | "de" = "en") {
  const text = calendarOf(site(plans), scope, locale, "https://play.example", NOW);
  assert.ok(!/[^\r]\n/.test(text), "lines end as RFC 5545 wants them");
  for (const line of text.split("\r\n")) assert.ok(Buffer.byteLength(line) <= 75, line);
  const calendar = new ICAL.Component(ICAL.parse(text));
  for (const zone of calendar.getAllSubcomponents("vtimezone")) ICAL.TimezoneService.register(zone);
  return { calendar, events: calendar.getAllSubcomponents("vevent").map((one) => new ICAL.Event(one)) };
}

/** The starts and ends that another library makes of it, in ms. */
function timesOf(plans: ShownPlan[], before: string): [number, number][] {
  const { events } = read(plans);
  const own = events.filter((event) => !event.isRecurrenceException());
  const found = own.flatMap((event) => {
    for (const other of events)
      if (other.isRecurrenceException() && other.uid === event.uid) event.relateException(other);
    if (!event.isRecurring())
      return [[event.startDate.toJSDate().getTime(), event.endDate.toJSDate().getTime()] as [number, number]];
    const times: [number, number][] = [];
    const all = event.iterator();
    for (let next = all.next(); next && times.length < 1_000; next = all.next()) {
      const { startDate, endDate } = event.getOccurrenceDetails(next);
      if (startDate.toJSDate() >= new Date(before)) break;
      times.push([startDate.toJSDate().getTime(), endDate.toJSDate().getTime()]);
    }
    return times;
  });
  ICAL.TimezoneService.reset();
  return found.filter(([starts]) => starts < Date.parse(before)).sort(([one], [other]) => one - other);
}

describe("calendars of plans", () => {
  it("say the same moments as the site does, over two years and every night on which clocks change", () => {
    for (const given of [
      {},
      { first_local: "2026-01-04T02:30", repeats: "daily" as const, minutes: 45 },
      { first_local: "2026-03-29T02:30", repeats: "weekly" as const },
      { first_local: "2026-03-07T02:30", repeats: "daily" as const, time_zone: "America/New_York" },
      { first_local: "2026-01-04T02:15", repeats: "daily" as const, time_zone: "Australia/Lord_Howe" },
      { first_local: "2026-02-01T12:00", repeats: "daily" as const, time_zone: "Asia/Kolkata" },
      { first_local: "2026-10-25T02:30", repeats: "none" as const, minutes: 120 },
    ]) {
      const one = plan(given);
      const ours = nextOccurrences(one, 0, 1_000, Date.parse("2027-12-01T00:00Z"));
      assert.deepEqual(
        timesOf([one], "2027-12-01T00:00Z"),
        ours.map(({ starts, ends }) => [starts, ends]),
        JSON.stringify(given),
      );
    }
  });

  it("where nothing is planned, are whole all the same, and the same at each fetch", () => {
    const { calendar, events } = read([]);
    assert.equal(events.length, 0);
    assert.equal(calendar.getAllSubcomponents().length, 1);
    const later = calendarOf(site([]), { of: "site" }, "en", "https://play.example", NOW + 86_400_000);
    assert.equal(later, calendarOf(site([]), { of: "site" }, "en", "https://play.example", NOW));
  });

  it("one that has ended says until when it was", () => {
    const occurrences = [{ starts_at: "2026-01-18T03:00:00.000Z", ends_at: "2026-01-18T03:10:00.000Z", over: true }];
    assert.equal(timesOf([plan({ ended: true, occurrences })], "2028-01-01T00:00Z").length, 3);
    assert.equal(read([plan({ ended: true })]).events.length, 0, "one that never took place is in none");
  });

  it("hold what is about them, by names that cannot end a line", () => {
    const plans = [
      plan({ plan_id: 1 }),
      plan({ plan_id: 2, game_slug: "valheim", kind: "maintenance" }),
      plan({ plan_id: 3, server_id: 7, title: { en: "New map, at last", de: "Neue Karte" } }),
      plan({ plan_id: 4, server_id: 8 }),
    ];
    const ids = (scope: Scope) => read(plans, scope).events.map(({ uid }) => uid.split("@")[0]);
    assert.deepEqual(ids({ of: "site" }), ["plan-1", "plan-2", "plan-3", "plan-4"]);
    assert.deepEqual(ids({ of: "game", slug: "valheim", name: "Valheim" }), ["plan-1", "plan-2", "plan-3", "plan-4"]);
    assert.deepEqual(ids({ of: "game", slug: "aion", name: "Aion" }), ["plan-1"]);
    const name = "Longhall, north; \\ and\r\nBEGIN:VEVENT";
    const { calendar, events } = read(plans, { of: "server", server_id: 7, game_slug: "valheim", name }, "de");
    assert.deepEqual(
      events.map(({ uid }) => uid),
      ["plan-1", "plan-2", "plan-3"].map((id) => `${id}@play.example`),
    );
    // That reader leaves texts of names that it does not know as they stand.
    assert.equal(
      calendar.getFirstPropertyValue("x-wr-calname"),
      "Geplant bei Longhall\\, north\\; \\\\ and BEGIN:VEVENT – Ada\\, Bob\\; & Co",
    );
    assert.deepEqual(
      events.map(({ summary }) => summary.split(" – ")[0]),
      ["Neustart: Ada, Bob; & Co", "Wartung: Valheim", "Neue Karte"],
    );
  });
});
