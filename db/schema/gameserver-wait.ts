// For which game servers somebody waits, that they answer again: those are asked more often until then. A row lapses by
// itself, and whoever comes next removes it: there are never more than fifty that count.
import { integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { gameserver } from "./gameserver.ts";

export const gameserverWait = pgTable("gameserver_wait", {
  server_id: integer()
    .primaryKey()
    .references(() => gameserver.server_id, { onDelete: "cascade" }),
  until: timestamp({ withTimezone: true }).notNull(),
  /** Whose share it counts to: a hash of an address; nobody can be read from it. */
  watcher: text().notNull(),
});
