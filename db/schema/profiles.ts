// Profiles: what a member shows to others, and their appearance settings.
import { sql } from "drizzle-orm";
import { check, pgTable, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { users } from "./users.ts";

export const LOCALES = ["en", "de"] as const;
export const THEMES = ["dark", "light"] as const;

export const profiles = pgTable(
  "profiles",
  {
    user_id: uuid()
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    user_nick_name: text().notNull(),
    avatar_url: text(),
    locale: text({ enum: LOCALES }).notNull().default("en"),
    theme: text({ enum: THEMES }).notNull().default("dark"),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    updated_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex("profiles_nick_name").on(sql`lower(${table.user_nick_name})`),
    check("profiles_locale", sql`${table.locale} in ('en', 'de')`),
    check("profiles_theme", sql`${table.theme} in ('dark', 'light')`),
  ],
);
