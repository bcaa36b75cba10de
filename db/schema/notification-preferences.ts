// How a member likes to be told; a member without a row is told at once, by every way they follow with.
import { sql } from "drizzle-orm";
import { boolean, check, date, pgTable, smallint, text, uuid } from "drizzle-orm/pg-core";
import { oneOf } from "../one-of.ts";
import { users } from "./users.ts";

/** `daily`: mails wait for one a day that says what happened. */
export const DIGESTS = ["none", "daily"] as const;

export const notificationPreferences = pgTable(
  "notification_preferences",
  {
    user_id: uuid()
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Whether what they follow may come by mail. */
    mail_on: boolean().notNull().default(true),
    /** Minutes of their day between which nothing is told; both null: there are no quiet hours. May go past midnight. */
    quiet_from: smallint(),
    quiet_to: smallint(),
    /** Name of the time zone in which their day is, as `Europe/Berlin`. */
    time_zone: text().notNull().default("UTC"),
    digest: text({ enum: DIGESTS }).notNull().default("none"),
    /** The day, in their time zone, whose digest was written last. */
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
