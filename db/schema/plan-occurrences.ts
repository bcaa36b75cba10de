// One occurrence of a plan. Written a day before it begins, so that pages announce it; removed after 90 days.

import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, primaryKey, timestamp } from "drizzle-orm/pg-core";
import { plans } from "./plans.ts";

export const planOccurrences = pgTable(
  "plan_occurrences",
  {
    plan_id: integer()
      .notNull()
      .references(() => plans.plan_id, { onDelete: "cascade" }),
    starts_at: timestamp({ withTimezone: true }).notNull(),
    /** When it ends or ended; an admin may end it early. */
    ends_at: timestamp({ withTimezone: true }).notNull(),
    /** When followers were notified in advance. */
    told_at: timestamp({ withTimezone: true }),
    /** When its game servers entered maintenance; null: not yet, or it was missed. */
    began_at: timestamp({ withTimezone: true }),
    /** When it was over and pages were notified. */
    over_at: timestamp({ withTimezone: true }),
  },
  (table) => [
    primaryKey({ columns: [table.plan_id, table.starts_at] }),
    index("plan_occurrences_to_do").on(table.starts_at).where(sql`${table.over_at} is null`),
    check("plan_occurrences_times", sql`${table.starts_at} <= ${table.ends_at}`),
  ],
);
