// How far history has been rolled up: one row, moved in the transaction that wrote the roll-ups.
import { sql } from "drizzle-orm";
import { boolean, check, pgTable, timestamp } from "drizzle-orm/pg-core";

export const gameserverRollupProgress = pgTable(
  "gameserver_rollup_progress",
  {
    only: boolean().primaryKey().default(true),
    rolled_until: timestamp({ withTimezone: true }).notNull(),
  },
  (table) => [check("gameserver_rollup_progress_only", sql`${table.only}`)],
);
