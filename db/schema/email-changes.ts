// A member's pending change of address, which both mailboxes must confirm. A confirmation is a time in this row, never the absence
// of a value. The sweep removes expired rows.
import { index, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { users } from "./users.ts";

const time = (column: string) => timestamp(column, { withTimezone: true });

export const emailChanges = pgTable(
  "email_changes",
  {
    user_id: uuid()
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The account's address when the change was requested. */
    old_email: text().notNull(),
    new_email: text().notNull(),
    /** SHA-256 (hex) of the link's token; null once the link was used. */
    old_token_hash: text().unique(),
    new_token_hash: text().unique(),
    requested_at: time("requested_at").notNull().defaultNow(),
    expires_at: time("expires_at").notNull(),
    old_confirmed_at: time("old_confirmed_at"),
    new_confirmed_at: time("new_confirmed_at"),
  },
  (table) => [index("email_changes_expired").on(table.expires_at)],
);
