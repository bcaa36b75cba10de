// The best time to join: one sentence, and a table of the week by hour with numbers.
import { clockText, weekdayName } from "#shared/text/date-text.ts";
import { formatNumber, language } from "../../language.ts";
import { m } from "../../paraglide/messages.js";
import { useReaderZone } from "../reader-zone.ts";
import { bestTime, shiftWeek } from "./shift-week.ts";
import css from "./week-map.module.css";

type Props = {
  /** Average players by hour, Monday 0:00 UTC first: 168. */
  week: (number | null)[];
};

const DAYS = [0, 1, 2, 3, 4, 5, 6];
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const LEVELS = 6;
/** A Monday, 0:00 UTC. */
const MONDAY_MS = 1_704_067_200_000;

/** Start of an hour of the week, in ms of UTC. */
const timeOf = (place: number) => MONDAY_MS + place * 3_600_000;
const clockOf = (place: number) => clockText(timeOf(place), language(), "UTC");
const weekdayOf = (place: number, names: "short" | "long") => weekdayName(timeOf(place), language(), "UTC", names);

export function WeekMap({ week }: Props) {
  const { timeZone, offsetMin } = useReaderZone();
  const hours = shiftWeek(week, offsetMin);
  const most = Math.max(0, ...hours.map((players) => players ?? 0));
  const best = bestTime(hours);
  // A map of dashes adds nothing to the sentence.
  if (best === "few")
    return <p>{hours.every((hour) => hour === null) ? m.history_best_untold() : m.history_best_few()}</p>;
  return (
    <>
      <p className={css.best}>{bestText(best)}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={css.scroll} aria-labelledby="week-map" tabIndex={0} ref={showEvening}>
        <table className={css.week} data-long={most >= 999.5 ? "" : undefined}>
          <caption id="week-map">{m.history_week_caption({ zone: timeZone })}</caption>
          <thead>
            <tr>
              <td />
              {HOURS.map((hour) => (
                <th key={hour} scope="col">
                  {clockOf(hour).slice(0, 2)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {DAYS.map((day) => (
              <tr key={day}>
                <th scope="row">
                  <abbr title={weekdayOf(day * 24, "long")}>{weekdayOf(day * 24, "short")}</abbr>
                </th>
                {HOURS.map((hour) => (
                  <Cell key={hour} players={hours[day * 24 + hour] ?? null} most={most} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

/** Scrolls to the evening, the busiest hours, where the whole day doesn't fit. */
function showEvening(box: HTMLElement | null): void {
  if (box) box.scrollLeft = box.scrollWidth;
}

function Cell({ players, most }: { players: number | null; most: number }) {
  if (players === null) {
    return (
      <td data-level="none">
        <span aria-hidden="true">–</span>
        <span className="visually-hidden">{m.history_week_unknown()}</span>
      </td>
    );
  }
  const level = most === 0 ? 0 : Math.ceil((players / most) * LEVELS);
  return <td data-level={level}>{formatNumber(players < 10 ? Math.round(players * 10) / 10 : Math.round(players))}</td>;
}

function bestText(best: Exclude<ReturnType<typeof bestTime>, "few">): string {
  if (best === "nobody") return m.history_best_nobody();
  return m.history_best({
    weekday: weekdayOf(best.place, "long"),
    from: clockOf(best.place),
    to: clockOf(best.place + 2),
    players: formatNumber(best.players < 10 ? Math.round(best.players * 10) / 10 : Math.round(best.players)),
  });
}
