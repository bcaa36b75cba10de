// Outposts: other machines that poll the game servers for this site, each with its own bearer token, and their last results.
// Removing an outpost removes its results and notifies every web process in the same transaction.
import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgTable, primaryKey, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { FAILURES } from "#shared/statuses.ts";
import { gameserver } from "./gameserver.ts";
import { users } from "./users.ts";

export const outposts = pgTable(
  "outposts",
  {
    outpost_id: integer().primaryKey().generatedAlwaysAsIdentity(),
    /** Its location, in the admin's words: pages say "reachable from" it. */
    name: text().notNull().unique(),
    /** SHA-256 (hex) of its bearer token. */
    token_hash: text().notNull().unique(),
    /** Signs its next results, beside its token; null: no request yet. */
    nonce: text(),
    created_by: uuid().references(() => users.id, { onDelete: "set null" }),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    last_seen_at: timestamp({ withTimezone: true }),
    version: text(),
    /** Its clock minus the database's. */
    clock_offset_ms: integer(),
    /** Round trip of its last request, as it measured it. */
    round_trip_ms: integer(),
  },
  (table) => [index("outposts_of_user").on(table.created_by), check("outposts_name", sql`length(${table.name}) <= 40`)],
);

export const outpostResults = pgTable(
  "outpost_results",
  {
    outpost_id: integer()
      .notNull()
      .references(() => outposts.outpost_id, { onDelete: "cascade" }),
    server_id: integer()
      .notNull()
      .references(() => gameserver.server_id, { onDelete: "cascade" }),
    /** Identifies what was polled, and how: a result is void for another address. */
    target_key: text().notNull(),
    ok: boolean().notNull(),
    latency_ms: integer(),
    failure: text({ enum: FAILURES }),
    /** By the database's clock. */
    asked_at: timestamp({ withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.outpost_id, table.server_id] }),
    index("outpost_results_of_server").on(table.server_id),
  ],
);
