// History on a game server's page: chart, totals of each range, and the best time to join.
import type { HistorySummary, RangeSummary } from "#domain/game-servers/history.ts";
import { dayText, longWeekdayText, momentsText, recentText } from "#shared/text/date-text.ts";
import { formatNumber, here, language } from "../../../language.ts";
import { useNow } from "../../../live/use-live.ts";
import { m } from "../../../paraglide/messages.js";
import { HistoryChart, rangeText } from "../../../ui/history-chart/history-chart.tsx";
import { DAYS, rangesWithin } from "../../../ui/history-chart/ranges.ts";
import { WeekMap } from "../../../ui/history-chart/week-map.tsx";
import { useReaderZone } from "../../../ui/reader-zone.ts";
import { durationText } from "../../../ui/relative-time/relative.ts";
import styles from "./history.module.css";

type Props = {
  serverId: number;
  /** Null: not read in time. */
  history: HistorySummary | null;
  everyS: number;
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
/** Share of a range from which its measured time isn't mentioned. */
const ALMOST_WHOLE = 0.95;

export function ServerHistory({ serverId, history, everyS }: Props) {
  return (
    <section className={`page ${styles.history}`} aria-labelledby="history">
      <h2 id="history">{m.history_title()}</h2>
      {history === null ? (
        <p className={styles.empty}>{m.history_failed()}</p>
      ) : (
        <Known serverId={serverId} history={history} everyS={everyS} />
      )}
    </section>
  );
}

/** Shows what exists: nothing, the start of collection, the chart, and after a week its map. */
function Known({ serverId, history, everyS }: Props & { history: HistorySummary }) {
  const { timeZone } = useReaderZone();
  const now = useNow();
  const { first_asked_at: since, last_at, ranges, week } = history;
  const watchedMs = since === null ? null : now - Date.parse(since);
  const moment = since && recentText(Date.parse(since), now, language(), timeZone);
  if (last_at === null || (watchedMs !== null && watchedMs < HOUR_MS))
    return <p className={styles.empty}>{moment ? m.history_collecting({ moment }) : m.history_empty()}</p>;
  const shown = rangesWithin(watchedMs);
  return (
    <>
      {moment && shown.length < ranges.length && (
        <p className={styles.since}>{m.history_collecting_since({ moment })}</p>
      )}
      <HistoryChart
        ranges={shown}
        since={since}
        address={(range) => here(`/servers/${serverId}/history?range=${range}`)}
        everyS={everyS}
      />
      <Summary ranges={ranges.filter(({ range }) => shown.includes(range))} timeZone={timeZone} />
      <h3>{m.history_best_title()}</h3>
      {since && watchedMs !== null && watchedMs < WEEK_MS ? (
        <p className={styles.empty}>
          {m.history_week_collecting({ day: longWeekdayText(Date.parse(since) + WEEK_MS, language(), timeZone) })}
        </p>
      ) : (
        <WeekMap week={week} />
      )}
    </>
  );
}

function Summary({ ranges, timeZone }: { ranges: RangeSummary[]; timeZone: string }) {
  const now = useNow();
  const quiet = <span className={styles.quiet}>{m.not_reported()}</span>;
  return (
    <table className={styles.summary}>
      <caption className="visually-hidden">{m.history_summary()}</caption>
      <thead>
        <tr>
          <th scope="col">{m.history_range()}</th>
          <th scope="col">{m.history_uptime()}</th>
          <th scope="col">{m.history_average()}</th>
          <th scope="col">{m.history_peak()}</th>
        </tr>
      </thead>
      <tbody>
        {ranges.map(({ range, uptime, known_s, since, average, peak }) => (
          <tr key={range}>
            <th scope="row">{rangeText(range)}</th>
            <td>
              {uptime === null ? (
                quiet
              ) : (
                <>
                  <b>{percent(uptime)}</b>
                  {since && (
                    <>
                      {" "}
                      <time dateTime={since} className={styles.quiet}>
                        {sinceText(since, now, timeZone)}
                      </time>
                    </>
                  )}
                  {known_s * 1000 < ALMOST_WHOLE * DAYS[range] * DAY_MS && (
                    <>
                      {" "}
                      <span className={`${styles.quiet} ${styles.known}`}>
                        {m.history_known({ duration: durationText(0, known_s * 1000, language()) })}
                      </span>
                    </>
                  )}
                </>
              )}
            </td>
            <td>{average === null ? quiet : formatNumber(average)}</td>
            <td>
              {peak === null ? (
                quiet
              ) : (
                <>
                  <b>{formatNumber(peak.players)}</b>{" "}
                  <time dateTime={peak.from} className={styles.quiet}>
                    {peakTime(peak, timeZone)}
                  </time>
                </>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Formats to two places, never rounded up to 100 %. */
function percent(share: number): string {
  const form = new Intl.NumberFormat(language(), { style: "percent", maximumFractionDigits: 2 });
  return form.format(Math.floor(share * 10_000) / 10_000);
}

/** Formats the time of a peak; as a span if only its hour or five minutes are known. */
const peakTime = ({ from, to }: NonNullable<RangeSummary["peak"]>, timeZone: string): string =>
  momentsText(Date.parse(from), Date.parse(to), language(), timeZone);

/** Formats the start of monitoring: nothing is claimed for the time before. */
function sinceText(since: string, now: number, timeZone: string): string {
  const moment = recentText(Date.parse(since), now, language(), timeZone);
  return isToday(since, now, timeZone) ? m.history_since_today({ time: moment }) : m.history_since({ moment });
}

const isToday = (at: string, now: number, timeZone: string): boolean =>
  dayText(Date.parse(at), language(), timeZone) === dayText(now, language(), timeZone);
