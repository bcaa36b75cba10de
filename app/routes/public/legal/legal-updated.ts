// When a legal text was last changed, in words.
import type { Spoken } from "#shared/spoken.ts";

/** "Last updated January 18, 2024" for "2024-01-18". */
export function updatedWords(spoken: Spoken, date: string): string {
  const format = new Intl.DateTimeFormat(spoken === "de" ? "de-DE" : "en-US", { dateStyle: "long", timeZone: "UTC" });
  const day = format.format(new Date(date));
  return spoken === "de" ? `Zuletzt geändert am ${day}` : `Last updated ${day}`;
}
