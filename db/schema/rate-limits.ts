// Counts attempts per client and action. Unlogged (a crash of Postgres may empty it); expired rows are swept.
import { index, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";

export const rateLimits = pgTable(
  "rate_limits",
  {
    /** Action and client, such as `sign-in:address:` with a hash of the address, which identifies no person. */
    limit_key: text().primaryKey(),
    points: integer().notNull(),
    expires_at: timestamp({ withTimezone: true }).notNull(),
  },
  (table) => [index("rate_limits_expired").on(table.expires_at)],
);
