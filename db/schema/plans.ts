// A restart or maintenance planned by an admin, once or repeatedly; its occurrences are in plan_occurrences.
import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { PLAN_KINDS, REPEATS } from "#shared/plans.ts";
import { oneOf } from "../one-of.ts";
import { games, type LocalText } from "./games.ts";
import { gameserver } from "./gameserver.ts";
import { users } from "./users.ts";

export const plans = pgTable(
  "plans",
  {
    plan_id: integer().primaryKey().generatedAlwaysAsIdentity(),
    kind: text({ enum: PLAN_KINDS }).notNull(),
    /** Its scope: one game server, all of one game, or, where both are null, the whole site. */
    server_id: integer().references(() => gameserver.server_id, { onDelete: "cascade" }),
    game_id: integer().references(() => games.game_id, { onDelete: "cascade" }),
    /** Its purpose, in the admin's words; null: the kind says enough. */
    title: jsonb().$type<LocalText>(),
    /** The first time, on the wall clock of `time_zone`: 2026-03-29T04:00. Not a moment, because zones change their rules. */
    first_local: text().notNull(),
    time_zone: text().notNull(),
    repeats: text({ enum: REPEATS }).notNull(),
    minutes: integer().notNull(),
    /** When to write its next occurrence; null: one is written, or none is left. */
    due_at: timestamp({ withTimezone: true }).defaultNow(),
    /** When it ended for good; null: it is active. */
    ended_at: timestamp({ withTimezone: true }),
    created_by: uuid().references(() => users.id, { onDelete: "set null" }),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    updated_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    index("plans_due").on(table.due_at),
    index("plans_of_server").on(table.server_id),
    index("plans_of_game").on(table.game_id),
    index("plans_of_user").on(table.created_by),
    check("plans_kind", oneOf(table.kind, PLAN_KINDS)),
    check("plans_repeats", oneOf(table.repeats, REPEATS)),
    check("plans_about", sql`${table.server_id} is null or ${table.game_id} is null`),
    check("plans_first_local", sql`${table.first_local} ~ '^20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}$'`),
    check("plans_minutes", sql`${table.minutes} between 1 and 10080`),
  ],
);
