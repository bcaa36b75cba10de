// Who is on by name, of game servers whose list an admin has turned on: the last list alone, in no history, no backup and no log.
import { sql } from "drizzle-orm";
import { integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { gameserver } from "./gameserver.ts";

/** Unlogged (a migration by hand): after a crash of the database it is empty, and nothing that copies tables takes it along. */
export const gameserverPlayerLists = pgTable("gameserver_player_lists", {
  server_id: integer()
    .primaryKey()
    .references(() => gameserver.server_id, { onDelete: "cascade" }),
  names: text().array().notNull().default(sql`'{}'::text[]`),
  /** Each name as shared/player-names.ts compares it. */
  name_keys: text().array().notNull().default(sql`'{}'::text[]`),
  told_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
});
