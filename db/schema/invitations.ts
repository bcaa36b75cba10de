// Invitation codes for registering when the site is by invitation only. Stores only a code's SHA-256.
import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";

export const invitations = pgTable(
  "invitations",
  {
    invitation_id: integer().primaryKey().generatedAlwaysAsIdentity(),
    code_hash: text().notNull().unique(),
    /** Its recipient or purpose, in the admin's words. */
    note: text().notNull().default(""),
    uses_left: integer().notNull().default(1),
    expires_at: timestamp({ withTimezone: true }).notNull(),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    index("invitations_ended").on(table.expires_at),
    check("invitations_uses", sql`${table.uses_left} between 0 and 1000`),
  ],
);
