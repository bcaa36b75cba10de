// What is left of the samples of a game server, in rows of five minutes (kept 90 days), an hour (two years) and a day (UTC,
// for ever). One shape three times: a wider row is the sum of the narrower ones. A time without samples has no row.
import { bigint, integer, pgTable, primaryKey, timestamp } from "drizzle-orm/pg-core";
import { gameserver } from "./gameserver.ts";

const columns = () => ({
  server_id: integer()
    .notNull()
    .references(() => gameserver.server_id, { onDelete: "cascade" }),
  starts_at: timestamp({ withTimezone: true }).notNull(),
  /** Of the samples that told a number of people; null where none did. Never 0 for "not known". */
  user_min: integer(),
  user_max: integer(),
  user_sum: bigint({ mode: "number" }).notNull(),
  user_count: integer().notNull(),
  /** Samples at all, whatever came of them. */
  asked: integer().notNull(),
  /** Seconds for which it is known that the game server was up, or was down. Both 0 where nobody could tell. */
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
