// An in-game name that a member hides from player lists.
import { index, pgTable, primaryKey, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { users } from "./users.ts";

export const hiddenPlayerNames = pgTable(
  "hidden_player_names",
  {
    user_id: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    player_name: text().notNull(),
    /** The name as shared/player-names.ts compares it. */
    name_key: text().notNull(),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.user_id, table.name_key] }),
    index("hidden_player_names_key").on(table.name_key),
  ],
);
