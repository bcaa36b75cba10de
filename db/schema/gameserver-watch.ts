// Until when any collector watched: one row, moved with every pulse. The time since then is unknown for every game server.
import { sql } from "drizzle-orm";
import { boolean, check, pgTable, timestamp } from "drizzle-orm/pg-core";

export const gameserverWatch = pgTable(
  "gameserver_watch",
  {
    only: boolean().primaryKey().default(true),
    watched_until: timestamp({ withTimezone: true }).notNull(),
  },
  (table) => [check("gameserver_watch_only", sql`${table.only}`)],
);
