// A game or game server that news is about, if it concerns only some.
import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, unique } from "drizzle-orm/pg-core";
import { games } from "./games.ts";
import { gameserver } from "./gameserver.ts";
import { news } from "./news.ts";

export const newsAbout = pgTable(
  "news_about",
  {
    about_id: integer().primaryKey().generatedAlwaysAsIdentity(),
    news_id: integer()
      .notNull()
      .references(() => news.news_id, { onDelete: "cascade" }),
    game_id: integer().references(() => games.game_id, { onDelete: "cascade" }),
    server_id: integer().references(() => gameserver.server_id, { onDelete: "cascade" }),
  },
  (table) => [
    unique("news_about_once").on(table.news_id, table.game_id, table.server_id).nullsNotDistinct(),
    index("news_about_game").on(table.game_id),
    index("news_about_server").on(table.server_id),
    check("news_about_one", sql`num_nonnulls(${table.game_id}, ${table.server_id}) = 1`),
  ],
);
