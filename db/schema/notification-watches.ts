// Player-count thresholds that the collector checks with every result it writes. One row per game server, kind and threshold,
// created from follows and rules.
import { boolean, check, integer, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import { oneOf } from "../one-of.ts";
import { gameserver } from "./gameserver.ts";

/** Events triggered by a player count. */
export const WATCH_KINDS = ["seat_free", "server_full", "players_reached"] as const;

export const notificationWatches = pgTable(
  "notification_watches",
  {
    server_id: integer()
      .notNull()
      .references(() => gameserver.server_id, { onDelete: "cascade" }),
    kind: text({ enum: WATCH_KINDS }).notNull(),
    /** 0 if the kind needs none. */
    threshold: integer().notNull(),
    /** True if the next crossing is an event: false after one, until the count was clearly on the other side again. */
    armed: boolean().notNull(),
    fired_at: timestamp({ withTimezone: true }),
  },
  (table) => [
    primaryKey({ columns: [table.server_id, table.kind, table.threshold] }),
    check("notification_watches_kind", oneOf(table.kind, WATCH_KINDS)),
  ],
);
