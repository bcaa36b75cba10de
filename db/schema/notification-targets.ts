// Targets of notifications: a browser's push subscription, a member's mailbox, an operator's channel. Addresses are sealed with the
// site's secret. A visitor's target is removed 60 days after its browser was last seen.
import { sql } from "drizzle-orm";
import { check, index, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { oneOf } from "../one-of.ts";
import { LOCALES } from "./profiles.ts";
import { users } from "./users.ts";

export const notificationTargets = pgTable(
  "notification_targets",
  {
    target_id: uuid().primaryKey().defaultRandom(),
    /** `push`, `mail`, `discord`, or a service (outside/channels/services.ts). */
    kind: text().notNull(),
    /** The owning member; null: a visitor's, or an operators' channel. */
    user_id: uuid().references(() => users.id, { onDelete: "cascade" }),
    /** The name of an operators' channel; null: a person's own target. */
    name: text(),
    /** SHA-256 of the target's unique value (an endpoint, a webhook's address), so that it exists once. */
    address_hash: text().notNull().unique(),
    /** Endpoint and keys, or a channel's settings, as sealed JSON; null: a member's mailbox, which uses the account's address. */
    address_sealed: text(),
    /** The end by which its owner recognises it. */
    last4: text().notNull().default(""),
    locale: text({ enum: LOCALES }).notNull().default("en"),
    /** A hash of the network address that created it, which identifies no person. */
    created_from: text(),
    /** The same for the network around it: the /48 of an IPv6 address. Null: it doesn't count. */
    created_from_network: text(),
    /** A hash of the device cookie of the member's last browser, so that logging out there finds it. */
    browser_hash: text(),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    last_seen_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    /** The other side requested a pause until then. */
    not_before: timestamp({ withTimezone: true }),
    /** Since when every delivery has failed; null: the last one arrived. */
    failing_since: timestamp({ withTimezone: true }),
    /** Nothing is sent there any more since then. */
    dead_at: timestamp({ withTimezone: true }),
    last_error: text(),
  },
  (table) => [
    index("notification_targets_of_user").on(table.user_id),
    index("notification_targets_from").on(table.created_from).where(sql`${table.created_from} is not null`),
    index("notification_targets_of_browser").on(table.browser_hash).where(sql`${table.browser_hash} is not null`),
    // For counting visitors' targets, per network and in total.
    index("notification_targets_of_strangers")
      .on(table.created_from_network)
      .where(sql`${table.user_id} is null and ${table.kind} = 'push'`),
    index("notification_targets_unseen").on(table.last_seen_at),
    check("notification_targets_locale", oneOf(table.locale, LOCALES)),
  ],
);
