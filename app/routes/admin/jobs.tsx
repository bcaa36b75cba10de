// Lists background jobs on the dashboard: last run, duration, and last error.
import type { LastRun } from "#domain/site/jobs.ts";
import type { JobName } from "#jobs/schedule.ts";
import { language } from "../../language.ts";
import { useNow } from "../../live/use-live.ts";
import { m } from "../../paraglide/messages.js";
import { Fact, FactList } from "../../ui/admin-tiles/admin-tiles.tsx";
import { RelativeTime } from "../../ui/relative-time/relative-time.tsx";
import css from "./jobs.module.css";

/** `last`: null before the first run. */
export type JobState = { name: JobName; last: LastRun | null };

export function Jobs({ jobs }: { jobs: JobState[] }) {
  const now = useNow();
  const machines = new Set(jobs.flatMap(({ last }) => (last ? [last.machine] : [])));
  return (
    <section className={css.jobs}>
      <h2>{m.admin_jobs()}</h2>
      <FactList wide>
        {jobs.map(({ name, last }) => (
          <Fact
            key={name}
            label={m.admin_job({ name })}
            bad={last?.failing ?? false}
            more={
              last?.failure && (
                <>
                  {m.admin_jobs_failed()} <RelativeTime at={last.failure.at} now={now} />
                  {machines.size > 1 && ` · ${last.failure.machine}`}: {last.failure.text}
                </>
              )
            }
          >
            {last === null ? (
              m.admin_jobs_not_yet()
            ) : (
              <>
                <RelativeTime at={last.finished_at} now={now} /> · {took(last.duration_ms)}
                {machines.size > 1 && ` · ${last.machine}`}
              </>
            )}
          </Fact>
        ))}
      </FactList>
    </section>
  );
}

/** Formats "12 ms" or "3.4 sec", in the reader's language. */
function took(ms: number): string {
  const [value, unit] = ms < 1000 ? [ms, "millisecond"] : [ms / 1000, "second"];
  return new Intl.NumberFormat(language(), {
    style: "unit",
    unit,
    unitDisplay: "short",
    maximumFractionDigits: 1,
  }).format(value);
}
