// Time until a plan starts or ends, and the moment in the reader's zone.

import type { PlanKind } from "#shared/plans.ts";
import { clockText, exactText, spanText } from "#shared/text/date-text.ts";
import { language } from "../../language.ts";
import { useNow } from "../../live/use-live.ts";
import { m } from "../../paraglide/messages.js";
import { useReaderZone } from "../reader-zone.ts";
import { relativeText } from "../relative-time/relative.ts";
import css from "./countdown.module.css";

/** Times are ISO texts. */
type Props = { kind: PlanKind; startsAt: string; endsAt: string };

/** Span within which the day isn't mentioned. */
const SOON_MS = 12 * 3_600_000;
/** Span that is highlighted. */
const NEAR_MS = 10 * 60_000;

export const planKindText = (kind: PlanKind): string => (kind === "restart" ? m.plan_restart() : m.plan_maintenance());

/** Renders nothing when it is over: the page is reloaded then. */
export function Countdown({ kind, startsAt, endsAt }: Props) {
  const now = useNow();
  const { timeZone } = useReaderZone();
  const locale = language();
  const [starts, ends] = [Date.parse(startsAt), Date.parse(endsAt)];
  if (now >= ends) return null;
  const what = planKindText(kind);
  const running = now >= starts;
  // The server doesn't know the reader's zone, and names the one it uses.
  const zone = timeZone === "UTC" ? " UTC" : "";
  return (
    <span className={css.countdown} data-state={running ? "running" : starts - now <= NEAR_MS ? "near" : "far"}>
      <svg viewBox="0 0 16 16" aria-hidden="true" className={css.sign}>
        <circle cx="8" cy="8.6" r="5.6" />
        <path d="M8 5.6v3.2l2 1.4M6.4 1.4h3.2" />
      </svg>
      <span>
        <strong>{running ? m.plan_now({ what }) : `${what} ${relativeText(starts, now, locale)}`}</strong>{" "}
        <time dateTime={startsAt} title={exactText(starts, locale, timeZone)} className={css.when}>
          {running
            ? m.plan_until({ time: clockText(ends, locale, timeZone) + zone })
            : spanText(starts, ends, locale, timeZone, starts - now > SOON_MS) + zone}
        </time>
      </span>
    </span>
  );
}
