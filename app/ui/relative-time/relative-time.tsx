// Relative time, with the exact one in its title.
import { exactText } from "#shared/text/date-text.ts";
import { language } from "../../language.ts";
import { m } from "../../paraglide/messages.js";
import { useReaderZone } from "../reader-zone.ts";
import { durationText, relativeText } from "./relative.ts";

type RelativeTimeProps = {
  /** ISO 8601. */
  at: string;
  /** Now in ms; the same on the server and during hydration. */
  now: number;
  /** `ago` (default): "5 hours ago". `lasting`: "for 5 hours", for a state since then. */
  form?: "ago" | "lasting";
};

/** Relative in words, exact in the title. */
export function RelativeTime({ at, now, form = "ago" }: RelativeTimeProps) {
  const { timeZone } = useReaderZone();
  const time = Date.parse(at);
  const locale = language();
  return (
    <time dateTime={at} title={exactText(time, locale, timeZone)}>
      {form === "ago" ? relativeText(time, now, locale) : m.time_lasting({ duration: durationText(time, now, locale) })}
    </time>
  );
}
