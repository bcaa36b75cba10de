// The site's current troubles: one row each, written by the job that checks for them, removed when it is over.
import { pgTable, text, timestamp } from "drizzle-orm/pg-core";

export const siteTroubles = pgTable("site_troubles", {
  /** A name of domain/site/troubles.ts. */
  trouble: text().primaryKey(),
  first_seen_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  last_seen_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  /** Null: no notification yet, since it may pass by itself. */
  told_at: timestamp({ withTimezone: true }),
});
