// The pair of keys by which push services know this site (RFC 8292): one row, made when it is first needed, and never replaced
// while it can be opened, for every subscription of a browser is bound to it.
import { sql } from "drizzle-orm";
import { boolean, check, pgTable, text, timestamp } from "drizzle-orm/pg-core";

export const pushKeys = pgTable(
  "push_keys",
  {
    /** There is one row at most. */
    is_site: boolean().primaryKey().default(true),
    /** In base64url, as browsers are given it. */
    public_key: text().notNull(),
    /** Sealed with the site's secret. */
    private_key_sealed: text().notNull(),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [check("push_keys_one_row", sql`${table.is_site}`)],
);
