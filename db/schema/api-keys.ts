// Keys with which an admin's programs write by way of the public API. Only the SHA-256 of a key is kept. A trigger removes
// the keys of whoever is no admin any more, is banned, or leaves.
import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { users } from "./users.ts";

/** What a key may be allowed to do, by the names of domain/permissions.ts. */
export const KEY_SCOPES = ["admin:read", "games:write", "gameservers:write"] as const;

export const apiKeys = pgTable(
  "api_keys",
  {
    key_id: integer().primaryKey().generatedAlwaysAsIdentity(),
    /** Whose key it is: it never may more than they may. */
    user_id: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    key_hash: text().notNull().unique(),
    /** What it is for, in the admin's words. */
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
