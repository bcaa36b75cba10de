// A game server of an incident, when it went down and when it was back.
import { index, integer, pgTable, primaryKey, timestamp } from "drizzle-orm/pg-core";
import { gameserver } from "./gameserver.ts";
import { incidents } from "./incidents.ts";

export const incidentServers = pgTable(
  "incident_servers",
  {
    incident_id: integer()
      .notNull()
      .references(() => incidents.incident_id, { onDelete: "cascade" }),
    server_id: integer()
      .notNull()
      .references(() => gameserver.server_id, { onDelete: "cascade" }),
    /** Null: an admin named it. */
    down_since: timestamp({ withTimezone: true }),
    back_at: timestamp({ withTimezone: true }),
  },
  (table) => [
    primaryKey({ columns: [table.incident_id, table.server_id] }),
    index("incident_servers_of_server").on(table.server_id),
  ],
);
