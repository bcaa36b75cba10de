// Each backup that was made, or failed: when, where to, and when it was last proven by restoring it. The newest thousand are kept.
import { bigint, boolean, index, integer, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

export const backups = pgTable(
  "backups",
  {
    /** As the backup's own manifest says it. */
    backup_id: uuid().primaryKey(),
    /** Without its folder. */
    file_name: text().notNull(),
    /** The machine's name: the file is there. */
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
    /** When all of it was last restored and found the same. */
    proven_at: timestamp({ withTimezone: true }),
    /** Why it could not be made, or not be proven; null: nothing went wrong. */
    error: text(),
  },
  (table) => [index("backups_newest").on(table.started_at)],
);
