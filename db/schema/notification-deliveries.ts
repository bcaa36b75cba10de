// THE OUTBOX: what leaves the house, one row a mail, push, post or webhook call, and what became of it. What a row says is
// erased as soon as it is done; rows older than 30 days are removed.
import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, integer, jsonb, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { oneOf } from "../one-of.ts";
import { notificationEvents } from "./notification-events.ts";
import { CHANNELS, notificationTargets } from "./notification-targets.ts";

export const MAIL_LOCALES = ["en", "de"] as const;

/**
 * - `waiting`: due at next_attempt_at; `held`: waits for a member's daily digest
 * - `sending`: a sender is at it until next_attempt_at; after that it is in doubt
 * - `sent`, `failed` (given up), `expired`, `untrue` (no longer so when its turn came), `dead` (its target is)
 * - `doubtful`: nobody lived to say whether it arrived, and people are not told twice
 */
export const DELIVERY_STATES = [
  "waiting",
  "held",
  "sending",
  "sent",
  "failed",
  "expired",
  "untrue",
  "doubtful",
  "dead",
] as const;

export const notificationDeliveries = pgTable(
  "notification_deliveries",
  {
    delivery_id: uuid().primaryKey().defaultRandom(),
    /** Null: a mail of an account, a test. */
    event_id: bigint({ mode: "number" }).references(() => notificationEvents.event_id, { onDelete: "cascade" }),
    /** Null: a mail of an account, which says itself where it goes. */
    target_id: uuid().references(() => notificationTargets.target_id, { onDelete: "cascade" }),
    channel: text({ enum: CHANNELS }).notNull(),
    /** What of an account's mail the template fills in, or what a test send says; null once it is of no more use. */
    payload: jsonb().$type<Record<string, unknown>>(),
    /** Where a mail without a target goes. */
    mail_to: text(),
    /** Whom an answer to the mail should reach, where that is not the site. */
    reply_to: text(),
    locale: text({ enum: MAIL_LOCALES }),
    /** Name of a template in content/mails. */
    template: text(),
    /** An operators' rule asked for it: it tells of hidden game servers too, where its channel may. */
    by_rule: boolean().notNull().default(false),
    /** Nothing is sent twice for one key. */
    dedupe_key: text().notNull().unique().default(sql`gen_random_uuid()::text`),
    state: text({ enum: DELIVERY_STATES }).notNull().default("waiting"),
    attempts: integer().notNull().default(0),
    /** Due from this moment on; a sender that takes it moves it past its own time limit. Null: nothing left to do. */
    next_attempt_at: timestamp({ withTimezone: true }).defaultNow(),
    /** From then on it would be of no use: a link has ended, or nobody wants to hear it any more. */
    expires_at: timestamp({ withTimezone: true }),
    sent_at: timestamp({ withTimezone: true }),
    last_error: text(),
    /** What the other side answered, for operators: at most 300 characters. */
    answer: text(),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    index("notification_deliveries_due")
      .on(table.channel, table.next_attempt_at)
      .where(sql`${table.next_attempt_at} is not null`),
    index("notification_deliveries_of_event").on(table.event_id),
    index("notification_deliveries_of_target").on(table.target_id, table.created_at),
    index("notification_deliveries_age").on(table.created_at),
    // Of mails of accounts, which are few beside what followers are told.
    index("notification_deliveries_mails").on(table.created_at).where(sql`${table.template} is not null`),
    index("notification_deliveries_to").on(sql`lower(${table.mail_to})`).where(sql`${table.mail_to} is not null`),
    index("notification_deliveries_answer_to")
      .on(sql`lower(${table.reply_to})`)
      .where(sql`${table.reply_to} is not null`),
    check("notification_deliveries_channel", oneOf(table.channel, CHANNELS)),
    check("notification_deliveries_state", oneOf(table.state, DELIVERY_STATES)),
    check("notification_deliveries_locale", oneOf(table.locale, MAIL_LOCALES)),
    check(
      "notification_deliveries_to",
      sql`${table.target_id} is not null or (${table.channel} = 'mail' and ${table.mail_to} is not null and ${table.template} is not null and ${table.locale} is not null)`,
    ),
  ],
);
