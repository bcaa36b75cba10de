// Up to when history has been rolled up, and since when by today's rule: one row, moved in the transaction that wrote the rows.
import { sql } from "drizzle-orm";
import { boolean, check, pgTable, timestamp } from "drizzle-orm/pg-core";

export const gameserverRollupProgress = pgTable(
  "gameserver_rollup_progress",
  {
    only: boolean().primaryKey().default(true),
    rolled_until: timestamp({ withTimezone: true }).notNull(),
    /**
     * Since when down times are counted from events. Rows from before an upgrade whose samples are gone keep their shares of
     * samples. null: the upgrade has not begun to count anew.
     */
    counted_from: timestamp({ withTimezone: true }),
  },
  (table) => [check("gameserver_rollup_progress_only", sql`${table.only}`)],
);
