// A member's role; domain/permissions.ts defines its permissions.
import { sql } from "drizzle-orm";
import { check, index, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { users } from "./users.ts";

export const ROLES = ["user", "moderator", "admin"] as const;

export const roles = pgTable(
  "roles",
  {
    user_id: uuid()
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    role: text({ enum: ROLES }).notNull().default("user"),
    updated_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    index("roles_of_few").on(table.role).where(sql`${table.role} <> 'user'`),
    check("roles_role", sql`${table.role} in ('user', 'moderator', 'admin')`),
  ],
);
