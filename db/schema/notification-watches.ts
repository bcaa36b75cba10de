// Which numbers of people somebody waits for: the collector reads them with every result it writes. One row a game server, kind
// and threshold, made from the follows.
import { boolean, check, integer, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import { oneOf } from "../one-of.ts";
import { gameserver } from "./gameserver.ts";

/** Events that a number of people makes. */
export const WATCH_KINDS = ["seat_free", "server_full", "players_reached"] as const;

export const notificationWatches = pgTable(
  "notification_watches",
  {
    server_id: integer()
      .notNull()
      .references(() => gameserver.server_id, { onDelete: "cascade" }),
    kind: text({ enum: WATCH_KINDS }).notNull(),
    /** 0 where the kind needs none. */
    threshold: integer().notNull(),
    /** Whether the next crossing is an event: false from one on, until the number was clearly on the other side again. */
    armed: boolean().notNull(),
    fired_at: timestamp({ withTimezone: true }),
  },
  (table) => [
    primaryKey({ columns: [table.server_id, table.kind, table.threshold] }),
    check("notification_watches_kind", oneOf(table.kind, WATCH_KINDS)),
  ],
);
