/** Starts jobs: each at its own pace, none held up by another's failure, each run told to those who look after the site. */
import { hostname } from "node:os";
import type { SQL } from "drizzle-orm";
import type { Logger } from "pino";
import type { Database } from "#db/client.ts";
import { isDatabaseAway } from "#db/database-away.ts";
import { failureText, recordJobRun } from "#domain/site/jobs.ts";
import { findDue } from "./due-conditions.ts";
import { type Exclusively, exclusively } from "./exclusively.ts";
import { type Repeated, repeat } from "./repeat.ts";

/** Runs that go well are written down no more often than this. */
const RECORD_EVERY_MS = 30_000;
const STOP_WITHIN_MS = 3_000;
/** It is looked for all jobs at once what is due, so often; a look without use is all that a quiet site costs. */
const LOOK_EVERY_MS = 2_000;
/** A job with a condition runs so often all the same, so that those who look after the site see that it lives. */
const RUN_ANYWAY_MS = 60_000;

/** What each run is handed besides its parts. `signal`: it is time to stop; what may be left for the next time is left. */
type Run = { signal: AbortSignal };

/**
 * `atOnce`: how many processes of all machines may be at it at a time.
 *
 * - `any`: each does it for itself, or they take different pieces.
 * - `one`: one. What it does in the database it does by `exclusively`.
 * - `one by its own lock`: one as well, by a lock that the job takes itself, because it must last longer than a transaction or
 *   others than the schedule need it too.
 */
export type Job<Parts> = {
  everyMs: number;
  /**
   * A condition in SQL: `everyMs` is then how soon after its last run it begins again where this holds, and nothing of it runs where
   * it does not. Only as exact as the looks, which come every two seconds.
   */
  due?: SQL;
  /** From the start to the first run (0). */
  firstMs?: number;
  /** A channel of NOTIFY that asks for a run before its time. */
  wokenBy?: string;
  /** How long a stop waits for the run that is under way (3 s). */
  stopWithinMs?: number;
} & (
  | { atOnce: "any" | "one by its own lock"; run(parts: Parts & Run): Promise<unknown> }
  | { atOnce: "one"; run(parts: Parts & Run & { exclusively: Exclusively }): Promise<unknown> }
);

/** Told of each run, for those who measure. */
export type JobMetrics = { ran(name: string, run: { durationMs: number; failed: boolean }): void };

export type RunningJobs = {
  /** Asks for a run now; one that is under way is followed by another. */
  wake(name: string): void;
  /** Begins no more runs, and waits for those under way, for each no longer than its limit. */
  stop(): Promise<void>;
};

type Surroundings = {
  database: Pick<Database, "db" | "sql" | "listen">;
  log: Logger;
  metrics?: JobMetrics | undefined;
};

/** Starts them all; with one that a NOTIFY wakes it waits for the database. */
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
      // The second function is called after each reconnect, too.
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

/** Looks again and again for which jobs there is something to do, and has those run whose pace allows it; null: none waits so. */
function followDue(
  jobs: Record<string, Pick<Job<never>, "everyMs" | "due">>,
  started: ReadonlyMap<string, Repeated>,
  { database }: Surroundings,
): Repeated | null {
  const waiting = Object.entries(jobs).flatMap(([name, { due, everyMs }]) => (due ? [{ name, due, everyMs }] : []));
  if (waiting.length === 0) return null;
  const conditions = new Map(waiting.map(({ name, due }) => [name, due]));
  const look = async () => {
    // While the database is away nothing can be done either; the runs that come anyway tell of it.
    const due = await findDue(database.db, conditions).catch(() => new Set<string>());
    for (const { name, everyMs } of waiting) if (due.has(name)) started.get(name)?.runWithin(everyMs);
  };
  const paces = waiting.map(({ everyMs }) => everyMs);
  return repeat(look, Math.min(LOOK_EVERY_MS, ...paces), 0);
}

/** Whether it was done: another process may be at it. */
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

/** Runs it, and tells of it: metrics each time, the database now and then, the log of the first of failures in a row. */
function tellOfRuns(name: string, run: () => Promise<boolean>, signal: AbortSignal, to: Surroundings) {
  const { database, log, metrics } = to;
  const machine = hostname();
  let failing = false;
  let unwritten: { text: string; at: number } | null = null;
  let writtenAt = Number.NEGATIVE_INFINITY;

  async function write(durationMs: number): Promise<void> {
    // The failure of this very run is as old as its end, so that the two are known to be one.
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
    // What a stop cuts off has not failed.
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
