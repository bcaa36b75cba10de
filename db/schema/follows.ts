// A target's follow: of one game server, the servers of a game, or the site. Deleted with its target.

import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text, timestamp, unique, uuid } from "drizzle-orm/pg-core";
import { FOLLOW_KINDS } from "#shared/push.ts";
import { oneOf } from "../one-of.ts";
import { games } from "./games.ts";
import { gameserver } from "./gameserver.ts";
import { notificationTargets } from "./notification-targets.ts";

export const follows = pgTable(
  "follows",
  {
    follow_id: uuid().primaryKey().defaultRandom(),
    target_id: uuid()
      .notNull()
      .references(() => notificationTargets.target_id, { onDelete: "cascade" }),
    /** At most one of the two; neither: the site. */
    server_id: integer().references(() => gameserver.server_id, { onDelete: "cascade" }),
    game_id: integer().references(() => games.game_id, { onDelete: "cascade" }),
    kind: text({ enum: FOLLOW_KINDS }).notNull(),
    /** Least number of players online; only for `players_reached`. */
    threshold: integer(),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    unique("follows_once")
      .on(table.target_id, table.server_id, table.game_id, table.kind, table.threshold)
      .nullsNotDistinct(),
    index("follows_of_server").on(table.server_id, table.kind),
    index("follows_of_game").on(table.game_id, table.kind),
    check("follows_kind", oneOf(table.kind, FOLLOW_KINDS)),
    check("follows_about", sql`num_nonnulls(${table.server_id}, ${table.game_id}) <= 1`),
    check(
      "follows_threshold",
      sql`(${table.threshold} is not null) = (${table.kind} = 'players_reached') and coalesce(${table.threshold}, 1) between 1 and 100000`,
    ),
  ],
);
