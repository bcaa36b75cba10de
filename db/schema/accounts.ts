// A user's login methods: a password (provider `credential`, argon2id as a PHC string) or another site.
import { index, pgTable, text, timestamp, unique, uuid } from "drizzle-orm/pg-core";
import { users } from "./users.ts";

const time = (column: string) => timestamp(column, { withTimezone: true });

export const accounts = pgTable(
  "accounts",
  {
    id: uuid("account_id").primaryKey().defaultRandom(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    providerId: text("provider").notNull(),
    /** The user's id there; for a password our own user id. */
    accountId: text("provider_account_id").notNull(),
    password: text("password_hash"),
    accessToken: text("access_token"),
    refreshToken: text("refresh_token"),
    idToken: text("id_token"),
    accessTokenExpiresAt: time("access_token_expires_at"),
    refreshTokenExpiresAt: time("refresh_token_expires_at"),
    scope: text(),
    createdAt: time("created_at").notNull().defaultNow(),
    updatedAt: time("updated_at").notNull().defaultNow(),
  },
  (table) => [
    unique("accounts_of_provider").on(table.providerId, table.accountId),
    index("accounts_of_user").on(table.userId),
  ],
);
