// User accounts.
import { sql } from "drizzle-orm";
import { boolean, check, index, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

const time = (column: string) => timestamp(column, { withTimezone: true });

export const users = pgTable(
  "users",
  {
    id: uuid("user_id").primaryKey().defaultRandom(),
    /** Always in lower case. */
    email: text().notNull().unique(),
    emailVerified: boolean("email_verified").notNull().default(false),
    /** Unused, like `image`: profiles.user_nick_name is the displayed name. */
    name: text().notNull().default(""),
    image: text(),
    twoFactorEnabled: boolean("two_factor_enabled").notNull().default(false),
    /** Set: login is refused, and after erase_after the account is erased. */
    deactivated_at: time("deactivated_at"),
    erase_after: time("erase_after"),
    /** `infinity` is a permanent ban. */
    banned_until: time("banned_until"),
    ban_reason: text(),
    /**
     * Set by a password reset or a change of address if there are passkeys: the next login leads to them until the owner has
     * reviewed them.
     */
    passkeys_unchecked_since: time("passkeys_unchecked_since"),
    createdAt: time("created_at").notNull().defaultNow(),
    updatedAt: time("updated_at").notNull().defaultNow(),
  },
  (table) => [
    check("users_email_small_letters", sql`${table.email} = lower(${table.email})`),
    index("users_banned").on(table.banned_until).where(sql`${table.banned_until} is not null`),
    index("users_newest").on(table.createdAt, table.id),
    index("users_to_erase").on(table.erase_after).where(sql`${table.erase_after} is not null`),
  ],
);
