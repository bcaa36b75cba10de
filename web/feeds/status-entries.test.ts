/** Where a text of an incident is missing in a feed's language, English stands in for it and says that it is English. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ShownIncident } from "#domain/plans/shown-status.ts";
import type { SiteSnapshot } from "../pages/site-snapshot.ts";
import { incidentEntries } from "./status-entries.ts";

const incident = (title: ShownIncident["title"], ...texts: ShownIncident["title"][]): ShownIncident => ({
  incident_id: 1,
  game_slug: null,
  servers: null,
  title,
  opened_at: "2026-01-01T00:00:00.000Z",
  closed_at: null,
  updated_at: "2026-01-01T01:00:00.000Z",
  updates: texts.map((text, place) => ({ update_id: place, text, at: "2026-01-01T01:00:00.000Z" })),
});

const entryOf = (one: ShownIncident, locale: "en" | "de") => {
  const [entry] = incidentEntries({ incidents: [one] } as unknown as SiteSnapshot, { of: "site" }, locale);
  if (!entry) throw new Error("the incident has no entry");
  return { title: entry.title, html: entry.html, lang: entry.lang };
};

test("an incident that is written in English alone is English in the German feed", () => {
  const one = incident({ en: "Slow" }, { en: "We look into it." });
  const english = { title: "Slow", html: "<p>We look into it.</p>", lang: "en" };
  assert.deepEqual(entryOf(one, "de"), english);
  assert.deepEqual(entryOf(one, "en"), english);
});

test("a single text that is missing says so by itself", () => {
  const one = incident({ en: "Slow", de: "Langsam" }, { en: "Over soon." }, { en: "We look.", de: "Wir sehen nach." });
  assert.deepEqual(entryOf(one, "de"), {
    title: "Langsam",
    html: '<p lang="en">Over soon.</p><p>Wir sehen nach.</p>',
    lang: "de",
  });
  const other = incident({ en: "Slow" }, { en: "We look.", de: "Wir sehen nach." });
  assert.deepEqual(entryOf(other, "de"), { title: "Slow", html: '<p lang="de">Wir sehen nach.</p>', lang: "en" });
});
