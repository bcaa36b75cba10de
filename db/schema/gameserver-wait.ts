// Game servers that clients wait for: polled more often until they answer. A row expires by itself, and the next call removes it:
// at most fifty are valid.
import { integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { gameserver } from "./gameserver.ts";

export const gameserverWait = pgTable("gameserver_wait", {
  server_id: integer()
    .primaryKey()
    .references(() => gameserver.server_id, { onDelete: "cascade" }),
  until: timestamp({ withTimezone: true }).notNull(),
  /** The watcher whose limit it counts towards: a hash of an address, which identifies no person. */
  watcher: text().notNull(),
});
