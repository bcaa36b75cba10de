// Where versions before the one outbox (notification_deliveries) queued mails. A process of theirs that still runs during an
// upgrade writes here; what it did not send is taken over. Rows older than 30 days are removed.
import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

export const MAIL_LOCALES = ["en", "de"] as const;

export const mails = pgTable(
  "mails",
  {
    mail_id: uuid().primaryKey().defaultRandom(),
    mail_to: text().notNull(),
    /** Whom an answer should reach, where that is not the site. */
    reply_to: text(),
    locale: text({ enum: MAIL_LOCALES }).notNull(),
    /** Name of a template in content/mails. */
    template: text().notNull(),
    /** What the template fills in; null once it is of no more use. */
    data: jsonb().$type<Record<string, unknown>>(),
    attempts: integer().notNull().default(0),
    /** Due from this moment on; a sender that takes the mail moves it past its own time limit. Null: nothing left to do. */
    next_attempt_at: timestamp({ withTimezone: true }).defaultNow(),
    /** From then on the mail would be of no use, because its link or code has ended. */
    useful_until: timestamp({ withTimezone: true }),
    sent_at: timestamp({ withTimezone: true }),
    given_up_at: timestamp({ withTimezone: true }),
    last_error: text(),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    index("mails_due").on(table.next_attempt_at).where(sql`${table.next_attempt_at} is not null`),
    index("mails_age").on(table.created_at),
    check("mails_locale", sql`${table.locale} in ('en', 'de')`),
  ],
);
