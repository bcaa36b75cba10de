// Events to notify about, recorded in the transaction that made them true. A job creates deliveries from each; rows older than 30
// days are removed.
import { sql } from "drizzle-orm";
import { bigint, check, index, integer, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { oneOf } from "../one-of.ts";
import { games } from "./games.ts";
import { gameserver } from "./gameserver.ts";

/** Outcome of an event: its deliveries were created, it was no longer true, or it expired. */
export const EVENT_OUTCOMES = ["told", "untrue", "expired"] as const;

export const notificationEvents = pgTable(
  "notification_events",
  {
    event_id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    /** A kind of domain/notifications/event-kinds.ts. */
    kind: text().notNull(),
    server_id: integer().references(() => gameserver.server_id, { onDelete: "cascade" }),
    game_id: integer().references(() => games.game_id, { onDelete: "cascade" }),
    /** The news, incident or plan that it is about. */
    subject_id: text(),
    /** Numbers, statuses, times, texts of operators: values for the text. Never a secret. */
    facts: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    /** The same event is recorded once. */
    dedupe_key: text().notNull().unique(),
    /** Events with the same key are sent once per target (news about several game servers); null: dedupe_key. */
    telling_key: text(),
    happened_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    /** Not sent before. */
    not_before: timestamp({ withTimezone: true }).notNull().defaultNow(),
    /** Not sent from then on. */
    expires_at: timestamp({ withTimezone: true }).notNull(),
    fanned_out_at: timestamp({ withTimezone: true }),
    outcome: text({ enum: EVENT_OUTCOMES }),
  },
  (table) => [
    index("notification_events_open").on(table.not_before).where(sql`${table.fanned_out_at} is null`),
    index("notification_events_age").on(table.happened_at),
    index("notification_events_of_server").on(table.server_id, table.kind),
    index("notification_events_of_game").on(table.game_id),
    check("notification_events_outcome", oneOf(table.outcome, EVENT_OUTCOMES)),
  ],
);
