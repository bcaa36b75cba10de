// Every change of a measured status with its cause, as the public history. Rows older than two years are removed.
import { bigint, index, integer, pgTable, smallint, text, timestamp } from "drizzle-orm/pg-core";
import { MEASURED_STATUSES } from "#shared/statuses.ts";
import { gameserver } from "./gameserver.ts";

export const gameserverStatusEvent = pgTable(
  "gameserver_status_event",
  {
    event_id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    server_id: integer()
      .notNull()
      .references(() => gameserver.server_id, { onDelete: "cascade" }),
    from_status: text({ enum: MEASURED_STATUSES }).notNull(),
    to_status: text({ enum: MEASURED_STATUSES }).notNull(),
    failure: text(),
    changed_at: timestamp({ withTimezone: true }).notNull(),
    /** The last answer known by then. */
    last_answered_at: timestamp({ withTimezone: true }),
    /**
     * The consecutive failures that end with this change, or that its answer ended; downtimes are computed from them
     * (domain/game-servers/downtime.ts). `failures` is null if no collector wrote the event.
     */
    first_failed_at: timestamp({ withTimezone: true }),
    last_failed_at: timestamp({ withTimezone: true }),
    failures: smallint(),
  },
  (table) => [
    index("gameserver_status_event_of_server").on(table.server_id, table.changed_at),
    index("gameserver_status_event_age").on(table.changed_at),
  ],
);
