// One line of a pasted text: the address that was read from it, what its examination came to, and what is to become of it.
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
    /** Who pasted it. */
    user_id: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** As it was pasted, the password blotted out. */
    typed: text().notNull(),
    /** Why no address was read; null: one was. */
    unread: text(),
    host: text(),
    port: integer(),
    /** The name that stood beside the address. */
    typed_name: text(),
    /** The password that stood there; null as soon as the game server has it. */
    password: text(),
    /** The game, by its name on the allow-list of outside/game-types, that it is asked as besides. */
    asked_as: text(),
    /** Examined by a process until then; one that dies leaves it to the others. */
    claimed_until: timestamp({ withTimezone: true }),
    attempts: smallint().notNull().default(0),
    examined_at: timestamp({ withTimezone: true }),
    /** Null: not examined, or given up. An older version kept no ways on. */
    diagnosis: jsonb().$type<Pick<Diagnosis, "findings" | "causes"> & { ways?: Diagnosis["ways"] }>(),
    /** What the admin made of the suggestions; null: nothing yet. The game as `12` or `catalogue:rust`. */
    chosen: boolean(),
    chosen_game: text(),
    chosen_name: text(),
    /** Why it could not be added when that was last tried. */
    refused: text(),
    /** When it was added, and as what; the game server may be gone since. */
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
