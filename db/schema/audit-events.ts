// Who did what, to what, from where. A trigger refuses changes; rows are removed after a year, or with their account.
import { bigint, index, jsonb, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

type Fact = string | number | boolean | null | Fact[] | { [name: string]: Fact | undefined };

/** Facts of an action. `before` and `after` contain the fields that it changed. */
export type AuditDetails = {
  before?: Record<string, Fact>;
  after?: Record<string, Fact>;
  [name: string]: Fact | undefined;
};

export const auditEvents = pgTable(
  "audit_events",
  {
    event_id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    happened_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    /** The actor; null: no logged-in user. No foreign key: the row outlives the account's tables. */
    actor_id: uuid(),
    what: text().notNull(),
    /** The subject: its kind and id, such as `user` and a user id. */
    subject_type: text(),
    subject_id: text(),
    ip: text(),
    user_agent: text(),
    details: jsonb().$type<AuditDetails>(),
  },
  (table) => [
    index("audit_events_of_actor").on(table.actor_id, table.happened_at),
    index("audit_events_of_subject").on(table.subject_type, table.subject_id, table.happened_at),
    index("audit_events_of_kind").on(table.what, table.happened_at),
    index("audit_events_age").on(table.happened_at),
  ],
);
