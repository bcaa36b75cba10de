/** Starts jobs: each at its own interval, none delayed by another's failure, each run reported to operators. */
import { hostname } from "node:os";
import type { SQL } from "drizzle-orm";
import type { Logger } from "pino";
import type { Database } from "#db/client.ts";
import { isDatabaseAway } from "#db/database-away.ts";
import { failureText, recordJobRun } from "#domain/site/jobs.ts";
import { findDue } from "./due-conditions.ts";
import { type Exclusively, exclusively } from "./exclusively.ts";
import { type Repeated, repeat } from "./repeat.ts";

/** Successful runs are recorded no more often than this. */
const RECORD_EVERY_MS = 30_000;
const STOP_WITHIN_MS = 3_000;
/** Interval of the check for due jobs, one for all; without due jobs a quiet site has no other cost. */
const LOOK_EVERY_MS = 2_000;
/** A job with a condition runs this often anyway, so that operators see that it works. */
const RUN_ANYWAY_MS = 60_000;

/** Passed to each run besides its parts. `signal`: stop now; leave what can wait for the next run. */
type Run = { signal: AbortSignal };

/**
 * `atOnce`: how many processes over all machines may run it at a time.
 * - `any`: each for itself, or on different parts of the work.
 * - `one`: one. Its database work uses `exclusively`.
 * - `one by its own lock`: one as well, through the job's own lock, which must last longer than a transaction or is needed outside
 * of the schedule too.
 */
export type Job<Parts> = {
  everyMs: number;
  /**
   * A condition in SQL: the job runs `everyMs` after its last run if it holds, and not at all otherwise. Only as exact as the
   * checks, which run every two seconds.
   */
  due?: SQL;
  /** From the start to the first run (0). */
  firstMs?: number;
  /** A NOTIFY channel that requests an early run. */
  wokenBy?: string;
  /** How long a stop waits for the run in progress (3 s). */
  stopWithinMs?: number;
} & (
  | { atOnce: "any" | "one by its own lock"; run(parts: Parts & Run): Promise<unknown> }
  | { atOnce: "one"; run(parts: Parts & Run & { exclusively: Exclusively }): Promise<unknown> }
);

/** Receives each run, for metrics. */
export type JobMetrics = { ran(name: string, run: { durationMs: number; failed: boolean }): void };

export type RunningJobs = {
  /** Requests a run now; one in progress is followed by another. */
  wake(name: string): void;
  /** Starts no more runs; waits for those in progress, each no longer than its limit. */
  stop(): Promise<void>;
};

type Surroundings = {
  database: Pick<Database, "db" | "sql" | "listen">;
  log: Logger;
  metrics?: JobMetrics | undefined;
};

/** Starts all jobs; waits for the database if NOTIFY wakes one of them. */
export async function startJobs<Parts extends object>(
  jobs: Record<string, Job<NoInfer<Parts>>>,
  parts: Parts,
  surroundings: Surroundings,
): Promise<RunningJobs> {
  const { listen } = surroundings.database;
  const ending = new AbortController();
  const started = new Map<string, Repeated>();
  const wake = (name: string) => started.get(name)?.wake();
  const subscriptions = await Promise.all(
    Object.entries(jobs).flatMap(([name, { wokenBy }]) =>
      // The second function also runs after each reconnect.
      wokenBy
        ? [
            listen(
              wokenBy,
              () => wake(name),
              () => wake(name),
            ),
          ]
        : [],
    ),
  );
  for (const [name, job] of Object.entries(jobs)) {
    const run = () => runOnce(name, job, { ...parts, signal: ending.signal }, surroundings);
    const everyMs = job.due ? Math.max(job.everyMs, RUN_ANYWAY_MS) : job.everyMs;
    started.set(name, repeat(tellOfRuns(name, run, ending.signal, surroundings), everyMs, job.firstMs ?? 0));
  }
  const looks = followDue(jobs, started, surroundings);
  return {
    wake,
    async stop() {
      ending.abort();
      looks?.stop(0);
      await Promise.all(
        Object.entries(jobs).map(([name, { stopWithinMs }]) => started.get(name)?.stop(stopWithinMs ?? STOP_WITHIN_MS)),
      );
      await Promise.allSettled(subscriptions.map((subscription) => subscription.unlisten()));
    },
  };
}

/** Checks repeatedly which jobs have work, and runs those whose interval allows it; null: no job has a condition. */
function followDue(
  jobs: Record<string, Pick<Job<never>, "everyMs" | "due">>,
  started: ReadonlyMap<string, Repeated>,
  { database }: Surroundings,
): Repeated | null {
  const waiting = Object.entries(jobs).flatMap(([name, { due, everyMs }]) => (due ? [{ name, due, everyMs }] : []));
  if (waiting.length === 0) return null;
  const conditions = new Map(waiting.map(({ name, due }) => [name, due]));
  const look = async () => {
    // While the database is unavailable no job can work either; the regular runs report it.
    const due = await findDue(database.db, conditions).catch(() => new Set<string>());
    for (const { name, everyMs } of waiting) if (due.has(name)) started.get(name)?.runWithin(everyMs);
  };
  const paces = waiting.map(({ everyMs }) => everyMs);
  return repeat(look, Math.min(LOOK_EVERY_MS, ...paces), 0);
}

/** Returns whether it ran: another process may be running it. */
async function runOnce<Parts>(name: string, job: Job<Parts>, parts: Parts & Run, { database }: Surroundings) {
  if (job.atOnce !== "one") {
    await job.run(parts);
    return true;
  }
  const byLock = exclusively(database.sql, name);
  let held = false;
  const noting: Exclusively = (work) =>
    byLock((transaction) => {
      held = true;
      return work(transaction);
    });
  await job.run({ ...parts, exclusively: noting });
  return held;
}

/** Runs a job and reports it: to metrics each time, to the database now and then, to the log for the first of failures in a row. */
function tellOfRuns(name: string, run: () => Promise<boolean>, signal: AbortSignal, to: Surroundings) {
  const { database, log, metrics } = to;
  const machine = hostname();
  let failing = false;
  let unwritten: { text: string; at: number } | null = null;
  let writtenAt = Number.NEGATIVE_INFINITY;

  async function write(durationMs: number): Promise<void> {
    // The failure of this run is as old as its end, so that both are recognised as one.
    const failure = unwritten && { text: unwritten.text, agoMs: failing ? 0 : performance.now() - unwritten.at };
    try {
      await recordJobRun(database.db, { name, machine, durationMs, failure });
      writtenAt = performance.now();
      unwritten = null;
    } catch (error) {
      log.debug({ err: error, job: name }, "the run of a background job could not be written down");
    }
  }

  return async (): Promise<void> => {
    const began = performance.now();
    let failure: { error: unknown } | null = null;
    try {
      if (!(await run())) return;
    } catch (error) {
      failure = { error };
    }
    // A run cut off by a stop hasn't failed.
    if (signal.aborted) return;
    const durationMs = performance.now() - began;
    metrics?.ran(name, { durationMs, failed: failure !== null });
    const recovered = failing && failure === null;
    if (failure) {
      log[failing ? "debug" : "error"]({ err: failure.error, job: name }, "a background job failed; it is tried again");
      unwritten = { text: failureText(failure.error), at: performance.now() };
    }
    failing = failure !== null;
    if (isDatabaseAway(failure?.error)) return;
    if (unwritten || recovered || performance.now() - writtenAt >= RECORD_EVERY_MS) await write(durationMs);
  };
}
