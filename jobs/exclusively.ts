/** Locks a job for one process over all machines. */

import { LOCK_KINDS } from "#db/advisory-locks.ts";
import type { Queryable, Sql } from "#db/sql.ts";

/**
 * Runs `work` in a transaction that holds a job's lock over all machines; returns undefined, without running it, while another
 * process holds the lock. Lock and work end together.
 */
export type Exclusively = <T>(work: (transaction: Queryable) => Promise<T>) => Promise<T | undefined>;

/** Uses the lock of the job with this name; statements in it may take a minute. */
export const exclusively =
  (sql: Sql, name: string): Exclusively =>
  async (work) => {
    let done: { result: Awaited<ReturnType<typeof work>> } | undefined;
    await sql.begin(async (transaction) => {
      const [lock] = await transaction<{ ours: boolean }[]>`
        SELECT pg_try_advisory_xact_lock(${LOCK_KINDS.jobs}::int, hashtext(${name})) AS ours`;
      if (!lock?.ours) return;
      await transaction`SET LOCAL statement_timeout = '60s'`;
      done = { result: await work(transaction) };
    });
    return done?.result;
  };

/** Waits until no process runs the job with this name, and blocks it until the transaction ends. */
export async function waitForJob(transaction: Queryable, name: string): Promise<void> {
  await transaction`SELECT pg_advisory_xact_lock(${LOCK_KINDS.jobs}::int, hashtext(${name}))`;
}
