// Data stored on an erased account against fraud: a keyed hash of its address and three dates, for a limited time.
import { index, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

const time = () => timestamp({ withTimezone: true });

export const erasedAccounts = pgTable(
  "erased_accounts",
  {
    erased_account_id: uuid().primaryKey().defaultRandom(),
    /** HMAC-SHA-256 of the address (base64url): useless without the site's secret. */
    email_hash: text().notNull(),
    registered_at: time().notNull(),
    deactivated_at: time().notNull(),
    erased_at: time().notNull().defaultNow(),
    /** The row is removed from then on. */
    keep_until: time().notNull(),
  },
  (table) => [index("erased_accounts_ended").on(table.keep_until), index("erased_accounts_hash").on(table.email_hash)],
);
