// Operators' notification rules: which kinds of events, of which game servers, go to which channel.
import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { games } from "./games.ts";
import { gameserver } from "./gameserver.ts";
import { notificationTargets } from "./notification-targets.ts";

export const notificationRules = pgTable(
  "notification_rules",
  {
    rule_id: integer().primaryKey().generatedAlwaysAsIdentity(),
    /** Kinds of domain/notifications/event-kinds.ts. */
    kinds: text().array().notNull(),
    /** At most one of the two; neither: everything. */
    server_id: integer().references(() => gameserver.server_id, { onDelete: "cascade" }),
    game_id: integer().references(() => games.game_id, { onDelete: "cascade" }),
    /** True if hidden game servers count too. */
    with_hidden: boolean().notNull().default(false),
    /** The operators' channel; null: every admin, by mail. */
    target_id: uuid().references(() => notificationTargets.target_id, { onDelete: "cascade" }),
    /** An outage is sent once it has lasted this long. */
    after_s: integer().notNull().default(0),
    enabled: boolean().notNull().default(true),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    index("notification_rules_of_server").on(table.server_id),
    index("notification_rules_of_game").on(table.game_id),
    index("notification_rules_of_target").on(table.target_id),
    check("notification_rules_about", sql`num_nonnulls(${table.server_id}, ${table.game_id}) <= 1`),
    check("notification_rules_kinds", sql`cardinality(${table.kinds}) > 0`),
    check("notification_rules_after", sql`${table.after_s} between 0 and 3600`),
  ],
);
