/** The lock by which one process of all machines is at a job. */

import { LOCK_KINDS } from "#db/advisory-locks.ts";
import type { Queryable, Sql } from "#db/sql.ts";

/**
 * Does `work` in a transaction that holds the lock of a job over all machines; undefined, and nothing done, while another
 * process holds it. The lock cannot outlive the work, nor the work the lock.
 */
export type Exclusively = <T>(work: (transaction: Queryable) => Promise<T>) => Promise<T | undefined>;

/** By the lock of the job of this name; a statement may take a minute in it. */
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

/** Waits until no process is at the job of this name, and keeps all away from it until the transaction ends. */
export async function waitForJob(transaction: Queryable, name: string): Promise<void> {
  await transaction`SELECT pg_advisory_xact_lock(${LOCK_KINDS.jobs}::int, hashtext(${name}))`;
}
