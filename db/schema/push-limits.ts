// Rate limits of push services, one row per host, with their end. Expired rows are removed.
import { pgTable, text, timestamp } from "drizzle-orm/pg-core";

export const pushLimits = pgTable("push_limits", {
  /** As `fcm.googleapis.com`. */
  host: text().primaryKey(),
  resets_at: timestamp({ withTimezone: true }).notNull(),
});
