// The history on a game server's page: the chart, what each range adds up to, and the best time to join.
import type { HistorySummary, RangeSummary } from "#domain/game-servers/history.ts";
import { formatNumber, here, language } from "../../../language.ts";
import { useNow } from "../../../live/use-live.ts";
import { m } from "../../../paraglide/messages.js";
import { HistoryChart, rangeText } from "../../../ui/history-chart/history-chart.tsx";
import { useReaderZone } from "../../../ui/history-chart/reader-zone.ts";
import { WeekMap } from "../../../ui/history-chart/week-map.tsx";
import styles from "./history.module.css";

type Props = {
  serverId: number;
  /** null: it could not be read in time. */
  history: HistorySummary | null;
  everyS: number;
};

export function ServerHistory({ serverId, history, everyS }: Props) {
  const { timeZone } = useReaderZone();
  const date = (at: string) =>
    new Intl.DateTimeFormat(language(), { dateStyle: "long", timeZone }).format(Date.parse(at));
  return (
    <section className={`page ${styles.history}`} aria-labelledby="history">
      <h2 id="history">{m.history_title()}</h2>
      {history === null ? (
        <p className={styles.empty}>{m.history_failed()}</p>
      ) : history.last_at === null ? (
        <p className={styles.empty}>{m.history_empty({ date: date(history.created_at) })}</p>
      ) : (
        <>
          <HistoryChart address={(range) => here(`/servers/${serverId}/history?range=${range}`)} everyS={everyS} />
          <Summary ranges={history.ranges} timeZone={timeZone} />
          <h3>{m.history_best_title()}</h3>
          <WeekMap week={history.week} />
        </>
      )}
    </section>
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
        {ranges.map(({ range, uptime, since, average, peak }) => (
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

/** To two places, and never rounded up to 100 %. */
function percent(share: number): string {
  const form = new Intl.NumberFormat(language(), { style: "percent", maximumFractionDigits: 2 });
  return form.format(Math.floor(share * 10_000) / 10_000);
}

const MOMENT: Intl.DateTimeFormatOptions = {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "numeric",
  minute: "2-digit",
};

/** The moment of a peak; where only its hour or five minutes are known, from when to when. */
function peakTime({ from, to }: NonNullable<RangeSummary["peak"]>, timeZone: string): string {
  return new Intl.DateTimeFormat(language(), { ...MOMENT, timeZone }).formatRange(Date.parse(from), Date.parse(to));
}

/** Since when it has been watched: nothing is claimed for the time before. */
function sinceText(since: string, now: number, timeZone: string): string {
  const moment = Date.parse(since);
  const form = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language(), { ...options, timeZone }).format;
  const day = form({ dateStyle: "short" });
  return day(moment) === day(now)
    ? m.history_since_today({ time: form({ hour: "numeric", minute: "2-digit" })(moment) })
    : m.history_since({ moment: form(MOMENT)(moment) });
}
