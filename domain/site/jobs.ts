// Stores the last run of each background job over all machines, for admins and Prometheus.
import { DrizzleQueryError, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { quotedIn } from "#db/quoted-values.ts";
import { jobs } from "#db/schema/index.ts";
import { withoutMailAddresses } from "./without-mail-addresses.ts";

const LONGEST_FAILURE = 300;

/** A run that has just ended. */
export type JobRun = {
  name: string;
  machine: string;
  durationMs: number;
  /** The newest unrecorded failure and its age: this run's, or an earlier one's. */
  failure: { text: string; agoMs: number } | null;
};

/** Records that a job ran. */
export async function recordJobRun(db: Db, { name, machine, durationMs, failure }: JobRun): Promise<void> {
  const ago = (ms: number) => sql`now() - ${ms}::float8 * interval '1 millisecond'`;
  const failed = failure && { failed_at: ago(failure.agoMs), failure: failure.text, failed_machine: machine };
  const run = {
    machine,
    started_at: ago(durationMs),
    finished_at: sql`now()`,
    duration_ms: Math.round(durationMs),
    ...failed,
  };
  await db
    .insert(jobs)
    .values({ name, ...run })
    .onConflictDoUpdate({ target: jobs.name, set: run });
}

/** Times are ISO 8601. */
export type LastRun = {
  finished_at: string;
  duration_ms: number;
  machine: string;
  /** Of the last failed run, which may be long ago. */
  failure: { at: string; text: string; machine: string } | null;
  /** True if the last run failed. */
  failing: boolean;
};

/** Lists the last run of each job, by name. */
export async function listLastRuns(db: Db): Promise<Map<string, LastRun>> {
  const rows = await db.select().from(jobs);
  return new Map(
    rows.map(({ name, finished_at, duration_ms, machine, failed_at, failure, failed_machine }) => [
      name,
      {
        finished_at: finished_at.toISOString(),
        duration_ms,
        machine,
        failure: failed_at && {
          at: failed_at.toISOString(),
          text: failure ?? "",
          machine: failed_machine ?? "",
        },
        failing: failed_at !== null && failed_at >= finished_at,
      },
    ]),
  );
}

/** Describes an error for readers who may see the site's state but no personal data: without statements, values and addresses. */
export function failureText(error: unknown): string {
  const texts: string[] = [];
  // Drizzle's own message is the statement.
  for (let at = error; at instanceof Error; at = at.cause)
    if (!(at instanceof DrizzleQueryError)) texts.push(at.message);
  const said = quotedIn(error).reduce((text, part) => text.replaceAll(part, ""), texts.join(": ") || String(error));
  return withoutMailAddresses(said).slice(0, LONGEST_FAILURE);
}
