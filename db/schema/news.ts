// Something that the community is told, in one language or more: a draft until an admin publishes it.
import { sql } from "drizzle-orm";
import { boolean, check, index, integer, jsonb, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { oneOf } from "../one-of.ts";
import { users } from "./users.ts";

/** A text by language, at least one of them: what is missing is shown in the other one, which says so. */
export type NewsText = { en?: string; de?: string };

/** Whom it concerns: everybody, or the games and game servers of news_about alone (and nobody once those are gone). */
export const NEWS_SCOPES = ["site", "some"] as const;

export const news = pgTable(
  "news",
  {
    news_id: integer().primaryKey().generatedAlwaysAsIdentity(),
    /** Its address, /news/SLUG; it follows the title until it is published for the first time. */
    slug: text().notNull().unique(),
    title: jsonb().$type<NewsText>().notNull(),
    /** Markdown. */
    text: jsonb().$type<NewsText>().notNull().default({}),
    scope: text({ enum: NEWS_SCOPES }).notNull().default("site"),
    published: boolean().notNull().default(false),
    /** On top of the list, and on the pages that it concerns for as long as it holds. */
    pinned: boolean().notNull().default(false),
    /** From when it is shown; null in a draft: as soon as it is published. */
    starts_at: timestamp({ withTimezone: true }),
    /** Until when it holds; later it is read in the list alone. */
    ends_at: timestamp({ withTimezone: true }),
    /** When those who follow what it is about were told of it, once and for all. */
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
