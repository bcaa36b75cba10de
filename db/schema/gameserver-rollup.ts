// Roll-ups of a game server's samples, in rows of five minutes (stored 90 days), an hour (two years) and a day (UTC, forever). Same
// shape three times: a wider row is the sum of the narrower ones. A time without samples has no row.
import { bigint, integer, pgTable, primaryKey, timestamp } from "drizzle-orm/pg-core";
import { gameserver } from "./gameserver.ts";

const columns = () => ({
  server_id: integer()
    .notNull()
    .references(() => gameserver.server_id, { onDelete: "cascade" }),
  starts_at: timestamp({ withTimezone: true }).notNull(),
  /** From samples with a player count; null if none had one. Never 0 for "not known". */
  user_min: integer(),
  user_max: integer(),
  user_sum: bigint({ mode: "number" }).notNull(),
  user_count: integer().notNull(),
  /** All samples, whatever their result. */
  asked: integer().notNull(),
  /** Seconds for which the game server is known to have been up, or down. Both 0 if unknown. */
  up_s: integer().notNull(),
  down_s: integer().notNull(),
});

export const gameserverRollup5m = pgTable("gameserver_rollup_5m", columns(), (table) => [
  primaryKey({ columns: [table.server_id, table.starts_at] }),
]);

export const gameserverRollup1h = pgTable("gameserver_rollup_1h", columns(), (table) => [
  primaryKey({ columns: [table.server_id, table.starts_at] }),
]);

export const gameserverRollup1d = pgTable("gameserver_rollup_1d", columns(), (table) => [
  primaryKey({ columns: [table.server_id, table.starts_at] }),
]);
