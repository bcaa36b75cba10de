// A game that the community plays; its texts and guide are data, so that an admin can change them.
import { boolean, index, integer, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/** A text by language; English is required and replaces a missing language. */
export type LocalText = { en: string; de?: string };

/**
 * One step of "How to get started", or a box beside it. Placeholders in braces ({address}, {port}, {link:launcher} …;
 * domain/games/guide.ts defines them) are filled from the game server's record, so that a step can't become outdated.
 */
export type GuideItem = { title: LocalText; text?: LocalText; links?: { label: LocalText; url: string }[] };

/** A picture uploaded by an admin: its files in the bucket `media` are `<id>-<width>.avif` and `.webp`. Sizes in px. */
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
    /**
     * Name of a painting (content/pictures) or a landscape (content/landscapes); null: the painting of its slug, or the landscape
     * of its name.
     */
    picture: text(),
    /** Its game in the catalogue (content/catalogue); null: handwritten by an admin. */
    catalogue_id: text().unique(),
    /** Initial join link of a new game server, with {host} and {port}; null: players type the address in the game. */
    join_link: text(),
    /** Replaces `picture`. */
    banner: jsonb().$type<UploadedPicture>(),
    sort_order: integer().notNull().default(0),
    published: boolean().notNull().default(true),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    updated_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index("games_order").on(table.sort_order, table.game_id)],
);
