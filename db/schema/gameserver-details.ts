// What a game server last told of itself beyond figures: one row for each that tells something, replaced when it tells otherwise.
import { sql } from "drizzle-orm";
import { check, integer, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import type { ToldLine } from "#shared/told-text.ts";
import { gameserver } from "./gameserver.ts";

export const gameserverDetails = pgTable(
  "gameserver_details",
  {
    server_id: integer()
      .primaryKey()
      .references(() => gameserver.server_id, { onDelete: "cascade" }),
    /** Its own words, cleaned: spans of plain text. */
    lines: jsonb().$type<ToldLine[]>().notNull().default([]),
    mods: text().array().notNull().default(sql`'{}'::text[]`),
    /** The icon as we made it anew from the file that was told: WebP in base64; null: none. */
    icon: text(),
    /** Names the icon by its content. */
    icon_id: text(),
    /** SHA-256 (hex) of the file that was told, so that the same one is not decoded again. */
    icon_told_sha256: text(),
    changed_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    check("gameserver_details_icon", sql`(${table.icon} is null) = (${table.icon_id} is null)`),
    check("gameserver_details_icon_size", sql`char_length(${table.icon}) <= 100000`),
  ],
);
