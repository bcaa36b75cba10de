// Push services that asked to be left alone, one row a host, until when. Rows that are over are removed.
import { pgTable, text, timestamp } from "drizzle-orm/pg-core";

export const pushLimits = pgTable("push_limits", {
  /** As `fcm.googleapis.com`. */
  host: text().primaryKey(),
  resets_at: timestamp({ withTimezone: true }).notNull(),
});
