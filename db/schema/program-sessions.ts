// What makes a session one of a program instead of a browser: its tokens, as SHA-256 hashes. It ends with its row in
// `sessions`, so that whatever ends a session ends this one too.
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
    /** What the program calls itself. */
    program: text().notNull(),
    access_token_hash: text().notNull().unique(),
    access_expires_at: timestamp({ withTimezone: true }).notNull(),
    /** Of the part that all refresh tokens of this session share: an old one still says whose it was. */
    refresh_family_hash: text().notNull().unique(),
    /** Of the one refresh token that is good now. */
    refresh_token_hash: text().notNull(),
  },
  (table) => [index("program_sessions_of_user").on(table.user_id)],
);
