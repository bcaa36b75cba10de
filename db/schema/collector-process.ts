// Each running collector and its pulse, the source of readiness and "data delayed". A row without a pulse for a day is removed.
import { integer, pgTable, timestamp, uuid } from "drizzle-orm/pg-core";

export const collectorProcess = pgTable("collector_process", {
  collector_id: uuid().primaryKey(),
  started_at: timestamp({ withTimezone: true }).notNull(),
  last_tick_at: timestamp({ withTimezone: true }).notNull(),
  in_flight: integer().notNull().default(0),
  /** Since when results are deferred because the fault is ours; null: no fault. */
  delayed_since: timestamp({ withTimezone: true }),
});
