// A member's notification preferences; without a row everything is sent at once, through every followed channel.
import { sql } from "drizzle-orm";
import { boolean, check, date, pgTable, smallint, text, uuid } from "drizzle-orm/pg-core";
import { oneOf } from "../one-of.ts";
import { users } from "./users.ts";

/** `daily`: mails are collected into one a day. */
export const DIGESTS = ["none", "daily"] as const;

export const notificationPreferences = pgTable(
  "notification_preferences",
  {
    user_id: uuid()
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    /** True if notifications of follows may come by mail. */
    mail_on: boolean().notNull().default(true),
    /** Quiet hours, in minutes of the member's day; both null: none. May cross midnight. */
    quiet_from: smallint(),
    quiet_to: smallint(),
    /** The member's time zone by name, as `Europe/Berlin`. */
    time_zone: text().notNull().default("UTC"),
    digest: text({ enum: DIGESTS }).notNull().default("none"),
    /** The local date of the last digest. */
    digest_of: date(),
  },
  (table) => [
    check("notification_preferences_digest", oneOf(table.digest, DIGESTS)),
    check(
      "notification_preferences_quiet",
      sql`(${table.quiet_from} is null) = (${table.quiet_to} is null) and coalesce(${table.quiet_from}, 0) between 0 and 1439 and coalesce(${table.quiet_to}, 0) between 0 and 1439`,
    ),
  ],
);
