// The last run of each background job over all machines, for admins. One row per job.
import { integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";

export const jobs = pgTable("jobs", {
  /** As in jobs/schedule.ts. */
  name: text().primaryKey(),
  /** Times of the last run, whatever its outcome. Jobs that run more than once in half a minute are recorded every half minute. */
  started_at: timestamp({ withTimezone: true }).notNull(),
  finished_at: timestamp({ withTimezone: true }).notNull(),
  duration_ms: integer().notNull(),
  machine: text().notNull(),
  /** The last failed run: when, the error (without values of statements), and where. Null: none ever failed. */
  failed_at: timestamp({ withTimezone: true }),
  failure: text(),
  failed_machine: text(),
});
