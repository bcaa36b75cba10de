// News for the community, in one language or more: a draft until an admin publishes it.
import { sql } from "drizzle-orm";
import { boolean, check, index, integer, jsonb, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { oneOf } from "../one-of.ts";
import { users } from "./users.ts";

/** A text by language, at least one: a missing one is replaced by the other, marked as such. */
export type NewsText = { en?: string; de?: string };

/** The audience: everyone, or only the games and game servers of news_about (no one once those are deleted). */
export const NEWS_SCOPES = ["site", "some"] as const;

export const news = pgTable(
  "news",
  {
    news_id: integer().primaryKey().generatedAlwaysAsIdentity(),
    /** Its path, /news/SLUG; follows the title until first published. */
    slug: text().notNull().unique(),
    title: jsonb().$type<NewsText>().notNull(),
    /** Markdown. */
    text: jsonb().$type<NewsText>().notNull().default({}),
    scope: text({ enum: NEWS_SCOPES }).notNull().default("site"),
    published: boolean().notNull().default(false),
    /** First in the list, and on the pages of its subjects while it is current. */
    pinned: boolean().notNull().default(false),
    /** Shown from then on; null in a draft: at once when published. */
    starts_at: timestamp({ withTimezone: true }),
    /** Current until then; later it appears only in the list. */
    ends_at: timestamp({ withTimezone: true }),
    /** When followers of its subjects were notified, which happens once. */
    told_at: timestamp({ withTimezone: true }),
    author_id: uuid().references(() => users.id, { onDelete: "set null" }),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    updated_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    index("news_newest").on(table.starts_at, table.news_id),
    index("news_of_author").on(table.author_id),
    index("news_to_tell").on(table.starts_at).where(sql`${table.published} and ${table.told_at} is null`),
    check("news_scope", oneOf(table.scope, NEWS_SCOPES)),
    check("news_published_since", sql`not ${table.published} or ${table.starts_at} is not null`),
    check("news_ends_later", sql`${table.ends_at} > ${table.starts_at}`),
    check("news_has_title", sql`${table.title} <> '{}'::jsonb`),
  ],
);
