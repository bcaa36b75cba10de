// What is kept of an erased account against fraud: a keyed hash of its address and three dates, until an end.
import { index, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

const time = () => timestamp({ withTimezone: true });

export const erasedAccounts = pgTable(
  "erased_accounts",
  {
    erased_account_id: uuid().primaryKey().defaultRandom(),
    /** HMAC-SHA-256 of the address (base64url): it tells nothing without the site's secret. */
    email_hash: text().notNull(),
    registered_at: time().notNull(),
    deactivated_at: time().notNull(),
    erased_at: time().notNull().defaultNow(),
    /** From then on the row is removed. */
    keep_until: time().notNull(),
  },
  (table) => [index("erased_accounts_ended").on(table.keep_until), index("erased_accounts_hash").on(table.email_hash)],
);
