// A text of addresses pasted by an admin, examined line by line (address_batch_lines); removed after a week.
import { index, integer, pgTable, timestamp, uuid } from "drizzle-orm/pg-core";
import { users } from "./users.ts";

export const addressBatches = pgTable(
  "address_batches",
  {
    batch_id: integer().primaryKey().generatedAlwaysAsIdentity(),
    user_id: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index("address_batches_of_user").on(table.user_id), index("address_batches_age").on(table.created_at)],
);
