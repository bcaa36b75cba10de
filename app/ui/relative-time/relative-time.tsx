// A time as people say it, with the exact one behind it.
import { useSyncExternalStore } from "react";
import { exactText, relativeText } from "./relative.ts";

type RelativeTimeProps = {
  /** ISO 8601. */
  at: string;
  /** Now in ms; the same on the server and while the page is hydrated. */
  now: number;
  locale?: string;
};

const never = () => () => {};
// The server does not know where the reader is; the browser says its own zone once the page is hydrated.
const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
const zoneOfServer = () => "UTC";

/** "12 seconds ago", the exact time in the title. */
export function RelativeTime({ at, now, locale = "en" }: RelativeTimeProps) {
  const timeZone = useSyncExternalStore(never, zoneHere, zoneOfServer);
  const time = Date.parse(at);
  return (
    <time dateTime={at} title={exactText(time, locale, timeZone)}>
      {relativeText(time, now, locale)}
    </time>
  );
}
