// One-time tokens and codes, stored only as hashes, each with an expiry. The sweep removes expired ones.
import { index, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

const time = (column: string) => timestamp(column, { withTimezone: true });

export const verifications = pgTable(
  "verifications",
  {
    id: uuid("verification_id").primaryKey().defaultRandom(),
    identifier: text().notNull(),
    value: text().notNull(),
    expiresAt: time("expires_at").notNull(),
    createdAt: time("created_at").notNull().defaultNow(),
    updatedAt: time("updated_at").notNull().defaultNow(),
  },
  (table) => [
    index("verifications_identifier").on(table.identifier),
    index("verifications_expired").on(table.expiresAt),
  ],
);
