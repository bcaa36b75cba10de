// The operator's own brand and choices, one row a setting; a missing row means the default in domain/site/settings.ts.
import { jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";

export const siteSettings = pgTable("site_settings", {
  setting_key: text().primaryKey(),
  setting_value: jsonb().notNull(),
  updated_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
});
