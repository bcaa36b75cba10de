// One line of pasted text: its address, the examination's result, and the admin's choices.
import { sql } from "drizzle-orm";
import { boolean, check, index, integer, jsonb, pgTable, smallint, text, timestamp, uuid } from "drizzle-orm/pg-core";
import type { Diagnosis } from "#shared/diagnosis.ts";
import { addressBatches } from "./address-batches.ts";
import { gameserver } from "./gameserver.ts";
import { users } from "./users.ts";

export const addressBatchLines = pgTable(
  "address_batch_lines",
  {
    /** Also their order. */
    line_id: integer().primaryKey().generatedAlwaysAsIdentity(),
    batch_id: integer()
      .notNull()
      .references(() => addressBatches.batch_id, { onDelete: "cascade" }),
    /** The admin who pasted it. */
    user_id: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** As pasted, with the password masked. */
    typed: text().notNull(),
    /** Why no address was read; null: one was. */
    unread: text(),
    host: text(),
    port: integer(),
    /** The name beside the address. */
    typed_name: text(),
    /** The password beside the address; null once the game server has it. */
    password: text(),
    /** An additional game to query it as, by its name on the allow-list of outside/game-types. */
    asked_as: text(),
    /** A process examines it until then; if it dies, others take over. */
    claimed_until: timestamp({ withTimezone: true }),
    attempts: smallint().notNull().default(0),
    examined_at: timestamp({ withTimezone: true }),
    /** Null: not examined, or given up. An older version stored no `ways`. */
    diagnosis: jsonb().$type<Pick<Diagnosis, "findings" | "causes"> & { ways?: Diagnosis["ways"] }>(),
    /** The admin's choice; null: none yet. The game as `12` or `catalogue:rust`. */
    chosen: boolean(),
    chosen_game: text(),
    chosen_name: text(),
    /** Why the last attempt to add it failed. */
    refused: text(),
    /** When it was added, and as what; the game server may be deleted since. */
    added_at: timestamp({ withTimezone: true }),
    server_id: integer().references(() => gameserver.server_id, { onDelete: "set null" }),
  },
  (table) => [
    index("address_batch_lines_of_batch").on(table.batch_id, table.line_id),
    index("address_batch_lines_server").on(table.server_id),
    index("address_batch_lines_of_user").on(table.user_id),
    index("address_batch_lines_waiting")
      .on(table.batch_id, table.line_id)
      .where(sql`${table.examined_at} is null and ${table.unread} is null`),
    check("address_batch_lines_address", sql`(${table.host} is null) = (${table.unread} is not null)`),
    check("address_batch_lines_port", sql`${table.port} between 1 and 65535`),
    check(
      "address_batch_lines_lengths",
      sql`char_length(${table.typed}) <= 300 and char_length(${table.host}) <= 300
        and char_length(${table.typed_name}) <= 80 and char_length(${table.password}) <= 64
        and char_length(${table.chosen_name}) <= 200`,
    ),
  ],
);
