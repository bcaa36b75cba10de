// Discord's rate limits from its replies: one row per webhook and route, and one for everything. Old rows are removed.
import { integer, pgTable, text, timestamp, unique } from "drizzle-orm/pg-core";

export const discordLimits = pgTable(
  "discord_limits",
  {
    /** Discord's id of the webhook; null: a pause for all of Discord. */
    webhook_id: text(),
    route: text(),
    /** Routes of one webhook with the same bucket share the limit. */
    bucket: text(),
    /** Requests per window; null: not known yet. */
    most: integer(),
    /** Requests left in the window. */
    remaining: integer().notNull().default(1),
    resets_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [unique("discord_limits_of").on(table.webhook_id, table.route).nullsNotDistinct()],
);
