// How much Discord lets us ask, as its answers say: one row a webhook and route, and one for everything. Rows of long ago are
// removed.
import { integer, pgTable, text, timestamp, unique } from "drizzle-orm/pg-core";

export const discordLimits = pgTable(
  "discord_limits",
  {
    /** Discord's id of the webhook; null: all of Discord, which asked for a pause. */
    webhook_id: text(),
    route: text(),
    /** Routes of one webhook with the same bucket share what is left. */
    bucket: text(),
    /** Requests that a window takes; null: no answer has said so yet. */
    most: integer(),
    /** What is left of it. */
    remaining: integer().notNull().default(1),
    resets_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [unique("discord_limits_of").on(table.webhook_id, table.route).nullsNotDistinct()],
);
