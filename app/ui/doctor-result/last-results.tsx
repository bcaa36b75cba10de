// Last poll results of a game server: time, outcome and duration.
import type { MeasuredStatus } from "#shared/statuses.ts";
import { exactText } from "#shared/text/date-text.ts";
import { formatNumber, language } from "../../language.ts";
import { m } from "../../paraglide/messages.js";
import { useReaderZone } from "../reader-zone.ts";
import { StatusSign } from "../status-sign/status-sign.tsx";
import css from "./last-results.module.css";
import { outcomeText } from "./result-text.ts";

export type LastResult = {
  /** ISO 8601. */
  asked_at: string;
  status: MeasuredStatus;
  user_online: number | null;
  user_max: number | null;
  latency_ms: number | null;
  /** Null: it answered. */
  failure: string | null;
};

/** A poll without an answer has no count; an answer without a count says so. */
function playersText({ failure, user_online }: LastResult): string {
  if (failure !== null) return "–";
  return user_online === null ? m.doctor_not_told() : formatNumber(user_online);
}

export function LastResults({ samples }: { samples: LastResult[] }) {
  const { timeZone } = useReaderZone();
  return (
    <section className={css.results}>
      <h2>{m.ask_now_results()}</h2>
      {samples.length === 0 ? (
        <p>{m.ask_now_no_results()}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">{m.ask_now_time()}</th>
              <th scope="col">{m.ask_now_status()}</th>
              <th scope="col">{m.doctor_tried_outcome()}</th>
              <th scope="col" data-number>
                {m.doctor_players()}
              </th>
              <th scope="col" data-number>
                {m.doctor_tried_time()}
              </th>
            </tr>
          </thead>
          <tbody>
            {samples.map((sample) => (
              <tr key={sample.asked_at}>
                <th scope="row">
                  <time dateTime={sample.asked_at}>{exactText(Date.parse(sample.asked_at), language(), timeZone)}</time>
                </th>
                <td>
                  <StatusSign status={sample.status} size="s" />
                </td>
                <td>{outcomeText(sample.failure ?? "answered")}</td>
                <td data-number data-label={m.doctor_players()}>
                  {playersText(sample)}
                </td>
                <td data-number>
                  {sample.latency_ms === null ? "–" : m.doctor_ms({ ms: formatNumber(sample.latency_ms) })}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
