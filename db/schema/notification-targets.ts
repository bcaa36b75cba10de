// Where people and machines are told: a browser's push subscription, a member's mailbox, an operator's channel. Addresses are
// sealed with the site's secret. A visitor's target goes 60 days after its browser was last seen.
import { sql } from "drizzle-orm";
import { check, index, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { oneOf } from "../one-of.ts";
import { LOCALES } from "./profiles.ts";
import { users } from "./users.ts";

/** The ways out of the house. */
export const CHANNELS = ["push", "mail", "discord", "webhook"] as const;

export const notificationTargets = pgTable(
  "notification_targets",
  {
    target_id: uuid().primaryKey().defaultRandom(),
    kind: text({ enum: CHANNELS }).notNull(),
    /** The member whose it is; null: a visitor's, or an operators' channel. */
    user_id: uuid().references(() => users.id, { onDelete: "cascade" }),
    /** How operators call their channel; null: it is somebody's own. */
    name: text(),
    /** SHA-256 of what makes it this target and no other (an endpoint, a webhook's address), so that it is there once. */
    address_hash: text().notNull().unique(),
    /** Endpoint and keys, or a webhook's address, as sealed JSON; null: a member's mailbox, which is the account's address. */
    address_sealed: text(),
    /** By which its owner knows it again. */
    last4: text().notNull().default(""),
    locale: text({ enum: LOCALES }).notNull().default("en"),
    /** A hash of the network address that it was made from; nobody can be read from it. */
    created_from: text(),
    /** The same of the network around it: the /48 of an IPv6 address. Null: it doesn't count. */
    created_from_network: text(),
    /** A hash of the device cookie of the browser in which a member used it last, by which logging out there finds it. */
    browser_hash: text(),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    last_seen_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    /** The other side asked for a pause until then. */
    not_before: timestamp({ withTimezone: true }),
    /** Since when each delivery has failed; null: the last one arrived. */
    failing_since: timestamp({ withTimezone: true }),
    /** Nothing is sent there any more. */
    dead_at: timestamp({ withTimezone: true }),
    last_error: text(),
  },
  (table) => [
    index("notification_targets_of_user").on(table.user_id),
    index("notification_targets_from").on(table.created_from).where(sql`${table.created_from} is not null`),
    index("notification_targets_of_browser").on(table.browser_hash).where(sql`${table.browser_hash} is not null`),
    // How many strangers have, from one network and together.
    index("notification_targets_of_strangers")
      .on(table.created_from_network)
      .where(sql`${table.user_id} is null and ${table.kind} = 'push'`),
    index("notification_targets_unseen").on(table.last_seen_at),
    check("notification_targets_kind", oneOf(table.kind, CHANNELS)),
    check("notification_targets_locale", oneOf(table.locale, LOCALES)),
  ],
);
