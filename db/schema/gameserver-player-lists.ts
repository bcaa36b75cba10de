// Names of online players, for game servers whose list an admin has turned on: only the last list, in no history, backup or log.
import { sql } from "drizzle-orm";
import { integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { gameserver } from "./gameserver.ts";

/** Unlogged (through a handwritten migration): empty after a crash of the database, and never copied with other tables. */
export const gameserverPlayerLists = pgTable("gameserver_player_lists", {
  server_id: integer()
    .primaryKey()
    .references(() => gameserver.server_id, { onDelete: "cascade" }),
  names: text().array().notNull().default(sql`'{}'::text[]`),
  /** Each name as shared/player-names.ts compares it. */
  name_keys: text().array().notNull().default(sql`'{}'::text[]`),
  told_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
});
