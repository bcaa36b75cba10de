// Marks a session as a program's instead of a browser's, with its tokens as SHA-256 hashes. Deleted with its row in `sessions`, so
// that everything that ends a session ends this one too.
import { index, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { sessions } from "./sessions.ts";
import { users } from "./users.ts";

export const programSessions = pgTable(
  "program_sessions",
  {
    session_id: uuid()
      .primaryKey()
      .references(() => sessions.id, { onDelete: "cascade" }),
    user_id: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The program's own name. */
    program: text().notNull(),
    access_token_hash: text().notNull().unique(),
    access_expires_at: timestamp({ withTimezone: true }).notNull(),
    /** Hash of the part that all refresh tokens of this session share: identifies the session of an old one. */
    refresh_family_hash: text().notNull().unique(),
    /** Hash of the one valid refresh token. */
    refresh_token_hash: text().notNull(),
  },
  (table) => [index("program_sessions_of_user").on(table.user_id)],
);
