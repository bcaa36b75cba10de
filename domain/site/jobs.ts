// The last run of each background job, over all machines: written by whoever ran it, read by admins and by Prometheus.
import { DrizzleQueryError, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { quotedIn } from "#db/quoted-values.ts";
import { jobs } from "#db/schema/index.ts";
import { withoutMailAddresses } from "./without-mail-addresses.ts";

const LONGEST_FAILURE = 300;

/** A run that has ended just now. */
export type JobRun = {
  name: string;
  machine: string;
  durationMs: number;
  /** The newest failure that is not written down yet, and how long ago it was: this run's, or an earlier one's. */
  failure: { text: string; agoMs: number } | null;
};

/** Writes down that a job ran. */
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
  /** Of the last run that failed, which may be long ago. */
  failure: { at: string; text: string; machine: string } | null;
  /** The last run of all is the one that failed. */
  failing: boolean;
};

/** The last run of each job that ever ran, by its name. */
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

/** What went wrong, for whoever may see the state of the site but not people: without statements, values and addresses. */
export function failureText(error: unknown): string {
  const texts: string[] = [];
  // Drizzle's own message is the statement.
  for (let at = error; at instanceof Error; at = at.cause)
    if (!(at instanceof DrizzleQueryError)) texts.push(at.message);
  const said = quotedIn(error).reduce((text, part) => text.replaceAll(part, ""), texts.join(": ") || String(error));
  return withoutMailAddresses(said).slice(0, LONGEST_FAILURE);
}
