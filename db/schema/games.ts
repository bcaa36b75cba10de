// A game that the community plays; its texts and guide are data, so that an admin can change them.
import { boolean, index, integer, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/** A text by language; English is always there and stands in for a language that is missing. */
export type LocalText = { en: string; de?: string };

/**
 * One step of "How to get started", or a box beside it. Placeholders in braces ({address}, {port}, {link:launcher} …;
 * domain/games/guide.ts knows them) are filled from the record of the game server it is shown for, so that a step cannot go
 * stale.
 */
export type GuideItem = { title: LocalText; text?: LocalText; links?: { label: LocalText; url: string }[] };

/** A picture that an admin uploaded: its files in the bucket `media` are `<id>-<width>.avif` and `.webp`. Sizes in px. */
export type UploadedPicture = { id: string; width: number; height: number; widths: number[]; placeholder: string };

export const games = pgTable(
  "games",
  {
    game_id: integer().primaryKey().generatedAlwaysAsIdentity(),
    game_name: text().notNull(),
    game_acronym: text().notNull(),
    game_slug: text().notNull().unique(),
    /** One line on the card. */
    tagline: jsonb().$type<LocalText>().notNull(),
    /** The info box of the game's page. */
    description: jsonb().$type<LocalText>().notNull(),
    guide: jsonb().$type<GuideItem[]>().notNull().default([]),
    guide_boxes: jsonb().$type<GuideItem[]>().notNull().default([]),
    /** Name of a painting (content/pictures) or a landscape (content/landscapes); null: the painting of its address, or the landscape of its name. */
    picture: text(),
    /** Which game of the catalogue it is (content/catalogue); null: one that the admin wrote by hand. */
    catalogue_id: text().unique(),
    /** What the join link of a new game server begins as, with {host} and {port}; null: the address is typed in the game. */
    join_link: text(),
    /** Takes the place of `picture`. */
    banner: jsonb().$type<UploadedPicture>(),
    sort_order: integer().notNull().default(0),
    published: boolean().notNull().default(true),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    updated_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index("games_order").on(table.sort_order, table.game_id)],
);
