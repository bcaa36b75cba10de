// Where the reader is: UTC on the server and while the page is hydrated, then the browser's own zone.
import { useSyncExternalStore } from "react";

const never = () => () => {};
const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
const offsetHere = () => -new Date().getTimezoneOffset();

/** The reader's time zone by name, and how many minutes it is ahead of UTC today. */
export function useReaderZone(): { timeZone: string; offsetMin: number } {
  const timeZone = useSyncExternalStore(never, zoneHere, () => "UTC");
  const offsetMin = useSyncExternalStore(never, offsetHere, () => 0);
  return { timeZone, offsetMin };
}
