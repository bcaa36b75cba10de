// Contact form messages; removed by an admin, or after a year in the archive. Their origin isn't stored.
import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { MAIL_LOCALES } from "./notification-deliveries.ts";

/** Kinds of privacy requests. */
export const REQUEST_KINDS = ["access", "correct", "delete", "copy", "opt_out", "appeal"] as const;
/** The sender's region, as far as its law has different deadlines. */
export const REQUEST_REGIONS = ["europe", "colorado", "connecticut", "virginia", "us_other", "elsewhere"] as const;

export const contacts = pgTable(
  "contacts",
  {
    contact_id: integer().primaryKey().generatedAlwaysAsIdentity(),
    name: text().notNull(),
    email: text().notNull(),
    message: text().notNull(),
    locale: text({ enum: MAIL_LOCALES }).notNull(),
    /** Both null: no privacy request. */
    request_kind: text({ enum: REQUEST_KINDS }),
    request_region: text({ enum: REQUEST_REGIONS }),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    read_at: timestamp({ withTimezone: true }),
    answered_at: timestamp({ withTimezone: true }),
    archived_at: timestamp({ withTimezone: true }),
    /** Answers mailed from the admin area, oldest first; times are ISO 8601. */
    answers: jsonb().$type<{ text: string; at: string }[]>().notNull().default([]),
    /** When a privacy request's deadline was extended, and why; only Virginia's law allows it. */
    extended_at: timestamp({ withTimezone: true }),
    extension_reason: text(),
  },
  (table) => [
    index("contacts_newest").on(table.created_at),
    index("contacts_open")
      .on(table.created_at, table.contact_id)
      .where(sql`${table.answered_at} is null and ${table.archived_at} is null`),
    index("contacts_requests")
      .on(table.created_at, table.contact_id)
      .where(sql`${table.request_kind} is not null and ${table.answered_at} is null and ${table.archived_at} is null`),
    index("contacts_answered")
      .on(table.created_at, table.contact_id)
      .where(sql`${table.answered_at} is not null and ${table.archived_at} is null`),
    index("contacts_archived").on(table.created_at, table.contact_id).where(sql`${table.archived_at} is not null`),
    index("contacts_unread").on(table.contact_id).where(sql`${table.read_at} is null and ${table.archived_at} is null`),
    check("contacts_extension", sql`(${table.extended_at} is null) = (${table.extension_reason} is null)`),
    check("contacts_locale", sql`${table.locale} in ('en', 'de')`),
    check(
      "contacts_request",
      sql`(${table.request_kind} is null) = (${table.request_region} is null)
        and ${table.request_kind} in ('access', 'correct', 'delete', 'copy', 'opt_out', 'appeal')
        and ${table.request_region} in ('europe', 'colorado', 'connecticut', 'virginia', 'us_other', 'elsewhere')`,
    ),
    check(
      "contacts_lengths",
      sql`char_length(${table.name}) between 1 and 80 and char_length(${table.email}) between 3 and 254
        and char_length(${table.message}) between 1 and 5000`,
    ),
  ],
);
