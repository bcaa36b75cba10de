/**
 * The database's time: read from it, then continued by this machine's steady clock. This machine's own date may be wrong or jump.
 */
import { sql } from "drizzle-orm";
import type { Db } from "./client.ts";

/** More than a slow statement explains. */
const JUMP_MS = 2_000;

export type DatabaseClock = {
  /** The database's time now, in ms. Before the first `set` it is this machine's. */
  now(): number;
  /**
   * Updates the clock from a time that the database returned, in a statement that began and ended at these steady times. Returns by
   * how many ms the database's clock has jumped; 0 for none.
   */
  set(databaseNow: number, began: number, ended: number): number;
};

/** Reads the database's time in ms: in a transaction, that of its beginning. */
export async function readDatabaseNow(db: Db): Promise<number> {
  const {
    rows: [row],
  } = await db.execute<{ now: number }>(sql`select (extract(epoch from now()) * 1000)::float8 as now`);
  if (!row) throw new Error("a statement of one row had none");
  return row.now;
}

/** @param steady a clock in ms that never jumps. */
export function createDatabaseClock(steady: () => number = () => performance.now()): DatabaseClock {
  let offset: number | null = null;
  return {
    now: () => (offset === null ? Date.now() : steady() + offset),
    set(databaseNow, began, ended) {
      // The time was read between the beginning and end of the statement.
      const least = databaseNow - ended;
      const most = databaseNow - began;
      if (offset === null) {
        offset = least;
        return 0;
      }
      const jump = offset < least ? least - offset : offset > most ? most - offset : 0;
      offset += jump;
      return Math.abs(jump) >= JUMP_MS ? jump : 0;
    },
  };
}
