// Provides the reader's time zone: UTC on the server and during hydration, then the browser's.
import { useSyncExternalStore } from "react";

const never = () => () => {};
const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
const offsetHere = () => -new Date().getTimezoneOffset();

/** Returns the time zone's name, and its minutes ahead of UTC today. */
export function useReaderZone(): { timeZone: string; offsetMin: number } {
  const timeZone = useSyncExternalStore(never, zoneHere, () => "UTC");
  const offsetMin = useSyncExternalStore(never, offsetHere, () => 0);
  return { timeZone, offsetMin };
}
