// The last run of each background job, on whichever machine it was; an admin reads it. A row a job.
import { integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";

export const jobs = pgTable("jobs", {
  /** As jobs/schedule.ts has it. */
  name: text().primaryKey(),
  /** Of the last run, however it ended. What runs more than once in half a minute is written down every half minute. */
  started_at: timestamp({ withTimezone: true }).notNull(),
  finished_at: timestamp({ withTimezone: true }).notNull(),
  duration_ms: integer().notNull(),
  machine: text().notNull(),
  /** Of the last run that failed: when, what went wrong (without values of statements), and where. Null: none ever failed. */
  failed_at: timestamp({ withTimezone: true }),
  failure: text(),
  failed_machine: text(),
});
