// The updates that people wrote during an incident, in order.
import { bigint, index, integer, jsonb, pgTable, timestamp, uuid } from "drizzle-orm/pg-core";
import type { LocalText } from "./games.ts";
import { incidents } from "./incidents.ts";
import { users } from "./users.ts";

export const incidentUpdates = pgTable(
  "incident_updates",
  {
    update_id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    incident_id: integer()
      .notNull()
      .references(() => incidents.incident_id, { onDelete: "cascade" }),
    text: jsonb().$type<LocalText>().notNull(),
    created_by: uuid().references(() => users.id, { onDelete: "set null" }),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    index("incident_updates_of_incident").on(table.incident_id, table.created_at),
    index("incident_updates_of_user").on(table.created_by),
  ],
);
