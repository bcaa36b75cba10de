// Addresses and ranges whose requests the site refuses, each until an end. The sweep removes expired rows.
import { cidr, index, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";

export const ipBlocks = pgTable(
  "ip_blocks",
  {
    block_id: integer().primaryKey().generatedAlwaysAsIdentity(),
    /** A single address is a range too. */
    network: cidr().notNull().unique(),
    reason: text().notNull(),
    blocked_until: timestamp({ withTimezone: true }).notNull(),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index("ip_blocks_ended").on(table.blocked_until)],
);
