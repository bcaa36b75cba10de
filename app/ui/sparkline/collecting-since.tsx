// Shown instead of a curve that is too short: since when figures are collected.
import { clockText, momentText } from "#shared/text/date-text.ts";
import { language } from "../../language.ts";
import { m } from "../../paraglide/messages.js";
import { useReaderZone } from "../reader-zone.ts";
import css from "./sparkline.module.css";

/** `at` in ISO 8601, within the last day: shows the time only, and the full moment in the title. */
export function CollectingSince({ at }: { at: string }) {
  const { timeZone } = useReaderZone();
  const moment = momentText(Date.parse(at), language(), timeZone);
  // Before the reader's zone is known, and without script, names the zone. The time never breaks.
  const time = clockText(Date.parse(at), language(), timeZone) + (timeZone === "UTC" ? "\u00a0UTC" : "");
  return (
    <time dateTime={at} title={`${moment}. ${m.day_collecting_title()}`} className={css.collecting}>
      {m.day_collecting({ time })}
    </time>
  );
}
