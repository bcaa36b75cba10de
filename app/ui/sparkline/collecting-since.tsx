// In place of a curve that has hardly begun: since when figures are collected.
import { language } from "../../language.ts";
import { m } from "../../paraglide/messages.js";
import { useReaderZone } from "../reader-zone.ts";
import css from "./sparkline.module.css";

/** `at` in ISO 8601, within the last day: the time alone says which moment is meant, and the title says the whole. */
export function CollectingSince({ at }: { at: string }) {
  const { timeZone } = useReaderZone();
  const write = (form: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language(), { ...form, timeZone }).format(Date.parse(at));
  // Before the reader's own zone is known, and without script, it says which one it means.
  const zone = timeZone === "UTC" ? ({ timeZoneName: "short" } as const) : {};
  const moment = write({ dateStyle: "long", timeStyle: "short" });
  return (
    <time dateTime={at} title={`${moment}. ${m.day_collecting_title()}`} className={css.collecting}>
      {/* A time is not broken in two. */}
      {m.day_collecting({ time: write({ hour: "numeric", minute: "2-digit", ...zone }).replace(/\s/g, "\u00a0") })}
    </time>
  );
}
