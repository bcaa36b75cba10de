// Login sessions. Stores only a token's SHA-256. The sweep removes ended sessions.
import { sql } from "drizzle-orm";
import { index, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { users } from "./users.ts";

const time = (column: string) => timestamp(column, { withTimezone: true });

export const sessions = pgTable(
  "sessions",
  {
    id: uuid("session_id").primaryKey().defaultRandom(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** SHA-256 (hex) of the cookie's token. */
    token: text("token_hash").notNull().unique(),
    /** When the user last authenticated: doing so again creates a new session. */
    createdAt: time("created_at").notNull().defaultNow(),
    /** The last use, to within a few minutes. */
    updatedAt: time("last_used_at").notNull().defaultNow(),
    /** The idle end; moves with use, never past ends_at. */
    expiresAt: time("expires_at").notNull(),
    /** The absolute end, regardless of use. */
    ends_at: time("ends_at").notNull().default(sql`now() + interval '30 days'`),
    ipAddress: text("ip"),
    userAgent: text("user_agent"),
  },
  (table) => [index("sessions_of_user").on(table.userId), index("sessions_expired").on(table.expiresAt)],
);
