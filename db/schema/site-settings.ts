// The operator's settings, one row each; a missing row means the default in domain/site/settings.ts.
import { jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";

export const siteSettings = pgTable("site_settings", {
  setting_key: text().primaryKey(),
  setting_value: jsonb().notNull(),
  updated_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
});
