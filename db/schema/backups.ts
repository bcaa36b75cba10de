// Each backup, made or failed: when, where, and when it was last proven by restoring it. Stores the newest thousand.
import { bigint, boolean, index, integer, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

export const backups = pgTable(
  "backups",
  {
    /** From the backup's own manifest. */
    backup_id: uuid().primaryKey(),
    /** Without its folder. */
    file_name: text().notNull(),
    /** The name of the machine with the file. */
    machine: text().notNull(),
    scheduled: boolean().notNull(),
    started_at: timestamp({ withTimezone: true }).notNull(),
    /** Null: it failed. */
    made_at: timestamp({ withTimezone: true }),
    bytes: bigint({ mode: "number" }),
    row_count: bigint({ mode: "number" }),
    file_count: integer(),
    /** SHA-256 (hex) of the file. */
    sha256: text(),
    /** When all of it was last restored and matched. */
    proven_at: timestamp({ withTimezone: true }),
    /** Why making or proving it failed; null: no failure. */
    error: text(),
  },
  (table) => [index("backups_newest").on(table.started_at)],
);
