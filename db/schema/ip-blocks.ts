// Addresses and ranges from which nothing of the site is answered, each until an end. What has ended is removed by the sweep.
import { cidr, index, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";

export const ipBlocks = pgTable(
  "ip_blocks",
  {
    block_id: integer().primaryKey().generatedAlwaysAsIdentity(),
    /** One address is a range of itself. */
    network: cidr().notNull().unique(),
    reason: text().notNull(),
    blocked_until: timestamp({ withTimezone: true }).notNull(),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index("ip_blocks_ended").on(table.blocked_until)],
);
