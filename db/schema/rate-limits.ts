// How often something was tried by whom. Not logged ahead (a crash of Postgres may empty it); swept when expired.
import { index, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";

export const rateLimits = pgTable(
  "rate_limits",
  {
    /** What and who, such as `sign-in:address:` with a hash of the address; nobody can be read from it. */
    limit_key: text().primaryKey(),
    points: integer().notNull(),
    expires_at: timestamp({ withTimezone: true }).notNull(),
  },
  (table) => [index("rate_limits_expired").on(table.expires_at)],
);
