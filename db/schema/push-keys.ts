// The key pair that identifies this site to push services (RFC 8292): one row, created on first use, and never replaced while it
// can be opened, because every browser subscription depends on it.
import { sql } from "drizzle-orm";
import { boolean, check, pgTable, text, timestamp } from "drizzle-orm/pg-core";

export const pushKeys = pgTable(
  "push_keys",
  {
    /** At most one row. */
    is_site: boolean().primaryKey().default(true),
    /** In base64url, as sent to browsers. */
    public_key: text().notNull(),
    /** Sealed with the site's secret. */
    private_key_sealed: text().notNull(),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [check("push_keys_one_row", sql`${table.is_site}`)],
);
