// The outbox: one row per mail, push, post or webhook call, with its outcome. A finished row's content is erased at once; rows
// older than 30 days are removed.
import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, integer, jsonb, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { oneOf } from "../one-of.ts";
import { notificationEvents } from "./notification-events.ts";
import { notificationTargets } from "./notification-targets.ts";

export const MAIL_LOCALES = ["en", "de"] as const;

/**
 * - `waiting`: due at next_attempt_at; `held`: deferred to a member's daily digest
 * - `sending`: being sent until next_attempt_at; after that it is in doubt
 * - `sent`, `failed` (given up), `expired`, `untrue` (no longer true when it was due), `dead` (its target is)
 * - `doubtful`: unknown whether it arrived; not repeated for people
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
    /** Null: an account mail, a test. */
    event_id: bigint({ mode: "number" }).references(() => notificationEvents.event_id, { onDelete: "cascade" }),
    /** Null: an account mail, which has its own address. */
    target_id: uuid().references(() => notificationTargets.target_id, { onDelete: "cascade" }),
    /** The kind of its target; `mail` without one. */
    channel: text().notNull(),
    /** Values for an account mail's template, or the content of a test; null once no longer needed. */
    payload: jsonb().$type<Record<string, unknown>>(),
    /** The address of a mail without a target. */
    mail_to: text(),
    /** The reply address of the mail, if it isn't the site's. */
    reply_to: text(),
    locale: text({ enum: MAIL_LOCALES }),
    /** Name of a template in content/mails. */
    template: text(),
    /** An operators' rule requested it: it covers hidden game servers too, if its channel may. */
    by_rule: boolean().notNull().default(false),
    /** Only one delivery per key. */
    dedupe_key: text().notNull().unique().default(sql`gen_random_uuid()::text`),
    state: text({ enum: DELIVERY_STATES }).notNull().default("waiting"),
    attempts: integer().notNull().default(0),
    /** Due from then on; a sender that claims it moves this past its own time limit. Null: finished. */
    next_attempt_at: timestamp({ withTimezone: true }).defaultNow(),
    /** Useless from then on: a link has expired, or the notification is too late. */
    expires_at: timestamp({ withTimezone: true }),
    sent_at: timestamp({ withTimezone: true }),
    last_error: text(),
    /** The other side's reply, for operators: at most 300 characters. */
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
    // For account mails, which are few among notifications.
    index("notification_deliveries_mails").on(table.created_at).where(sql`${table.template} is not null`),
    index("notification_deliveries_to").on(sql`lower(${table.mail_to})`).where(sql`${table.mail_to} is not null`),
    index("notification_deliveries_answer_to")
      .on(sql`lower(${table.reply_to})`)
      .where(sql`${table.reply_to} is not null`),
    check("notification_deliveries_state", oneOf(table.state, DELIVERY_STATES)),
    check("notification_deliveries_locale", oneOf(table.locale, MAIL_LOCALES)),
    check(
      "notification_deliveries_to",
      sql`${table.target_id} is not null or (${table.channel} = 'mail' and ${table.mail_to} is not null and ${table.template} is not null and ${table.locale} is not null)`,
    ),
  ],
);
