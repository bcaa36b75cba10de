// Formats a moment of today as time only, others with the day.
import { recentText } from "#shared/text/date-text.ts";
import { language } from "../language.ts";
import { useNow } from "../live/use-live.ts";
import { useReaderZone } from "./reader-zone.ts";

/** "22:30" or "23 Nov 2026, 22:30", in the reader's zone. `at` in ISO 8601. */
export function useRecentText(at: string): string {
  const { timeZone } = useReaderZone();
  return recentText(Date.parse(at), useNow(), language(), timeZone);
}
