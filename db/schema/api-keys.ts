// API keys with which an admin's programs write. Stores only a key's SHA-256. A trigger removes the keys of users who are no longer
// admins, are banned, or leave.
import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { users } from "./users.ts";

/** Scopes of a key, by the names of domain/permissions.ts. */
export const KEY_SCOPES = ["admin:read", "games:write", "gameservers:write"] as const;

export const apiKeys = pgTable(
  "api_keys",
  {
    key_id: integer().primaryKey().generatedAlwaysAsIdentity(),
    /** The owner, whose permissions limit the key's. */
    user_id: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    key_hash: text().notNull().unique(),
    /** Its purpose, in the admin's words. */
    note: text().notNull(),
    scopes: text({ enum: KEY_SCOPES }).array().notNull(),
    expires_at: timestamp({ withTimezone: true }).notNull(),
    /** To within a few minutes. */
    last_used_at: timestamp({ withTimezone: true }),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    index("api_keys_of_user").on(table.user_id),
    index("api_keys_ended").on(table.expires_at),
    check(
      "api_keys_scopes",
      sql`${table.scopes} <@ array['admin:read', 'games:write', 'gameservers:write'] and cardinality(${table.scopes}) > 0`,
    ),
  ],
);
