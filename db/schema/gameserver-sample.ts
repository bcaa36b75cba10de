// Every accepted result, raw, for seven days. Partitioned by day (UTC) of asked_at: an expired day is dropped as a whole.
import { index, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { MEASURED_STATUSES } from "#shared/statuses.ts";

export const gameserverSample = pgTable(
  "gameserver_sample",
  {
    server_id: integer().notNull(),
    asked_at: timestamp({ withTimezone: true }).notNull(),
    status: text({ enum: MEASURED_STATUSES }).notNull(),
    user_online: integer(),
    user_max: integer(),
    latency_ms: integer(),
    failure: text(),
  },
  (table) => [index("gameserver_sample_of_server").on(table.server_id, table.asked_at)],
);
