// A time that counts as neither up nor down. Rows that ended more than two years ago are removed.
import { sql } from "drizzle-orm";
import { bigint, check, index, integer, pgTable, text, timestamp, uniqueIndex } from "drizzle-orm/pg-core";
import { oneOf } from "../one-of.ts";
import { gameserver } from "./gameserver.ts";

/**
 * - `maintenance`: set by an admin (written by a trigger on any change of the lifecycle)
 * - `own_fault`: the failure was ours; results were deferred
 * - `not_watched`: no collector ran, or none reached the database
 * - `not_asked`: this one game server had no conclusive poll for longer than the schedule ever leaves between two
 */
const GAP_REASONS = ["maintenance", "own_fault", "not_watched", "not_asked"] as const;

export const gameserverWatchGap = pgTable(
  "gameserver_watch_gap",
  {
    gap_id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    /** null: all game servers. */
    server_id: integer().references(() => gameserver.server_id, { onDelete: "cascade" }),
    starts_at: timestamp({ withTimezone: true }).notNull(),
    /** null: it is ongoing. */
    ends_at: timestamp({ withTimezone: true }),
    reason: text({ enum: GAP_REASONS }).notNull(),
  },
  (table) => [
    index("gameserver_watch_gap_of_server").on(table.server_id, table.starts_at),
    // Only one of each kind may be ongoing.
    uniqueIndex("gameserver_watch_gap_open").on(table.server_id, table.reason).where(sql`${table.ends_at} is null`),
    check("gameserver_watch_gap_reason", oneOf(table.reason, GAP_REASONS)),
  ],
);
