// A published problem: drafted after an outage of five minutes or written by an admin. Only admins see a draft. Removed a year
// after it was closed.
import { sql } from "drizzle-orm";
import { boolean, check, index, integer, jsonb, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { INCIDENT_ABOUTS } from "#shared/plans.ts";
import { oneOf } from "../one-of.ts";
import { games, type LocalText } from "./games.ts";
import { users } from "./users.ts";

export const incidents = pgTable(
  "incidents",
  {
    incident_id: integer().primaryKey().generatedAlwaysAsIdentity(),
    /** `servers`: those of incident_servers; with none of them left it is about nothing, and isn't shown. */
    about: text({ enum: INCIDENT_ABOUTS }).notNull(),
    game_id: integer().references(() => games.game_id, { onDelete: "cascade" }),
    /** Written by a person; null only in a draft. */
    title: jsonb().$type<LocalText>(),
    opened_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    /** Drafted by an outage, and closed automatically once all its game servers are back. */
    by_outage: boolean().notNull().default(false),
    /** When it was published; null: a draft. */
    published_at: timestamp({ withTimezone: true }),
    closed_at: timestamp({ withTimezone: true }),
    created_by: uuid().references(() => users.id, { onDelete: "set null" }),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    updated_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    index("incidents_open").on(table.opened_at).where(sql`${table.closed_at} is null`),
    index("incidents_of_game").on(table.game_id),
    index("incidents_of_user").on(table.created_by),
    check("incidents_about", oneOf(table.about, INCIDENT_ABOUTS)),
    check("incidents_game", sql`(${table.about} = 'game') = (${table.game_id} is not null)`),
    check("incidents_words", sql`${table.published_at} is null or ${table.title} is not null`),
  ],
);
