// A member's second factor: the TOTP secret, encrypted, and the recovery codes, hashed.
import { bigint, boolean, integer, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { users } from "./users.ts";

export const twoFactors = pgTable("two_factors", {
  id: uuid("two_factor_id").primaryKey().defaultRandom(),
  userId: uuid("user_id")
    .notNull()
    .unique()
    .references(() => users.id, { onDelete: "cascade" }),
  secret: text().notNull(),
  backupCodes: text("recovery_codes").notNull(),
  /** The secret that hashed the recovery codes, sealed, if the site's has changed since; null: the site's own. */
  recovery_secret: text(),
  /** True once a first code has shown that the user's device has the secret. */
  verified: boolean().notNull().default(false),
  failedVerificationCount: integer("failed_count").notNull().default(0),
  lockedUntil: timestamp("locked_until", { withTimezone: true }),
  /** The 30-second step of the newest used code: it and older ones are refused. */
  last_used_step: bigint("last_used_step", { mode: "number" }),
});
