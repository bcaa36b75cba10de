// A game server's last reported details beyond figures: one row for each that reports any, replaced on a change.
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
    /** Its own text, cleaned: spans of plain text. */
    lines: jsonb().$type<ToldLine[]>().notNull().default([]),
    mods: text().array().notNull().default(sql`'{}'::text[]`),
    /** The icon, encoded again from the reported file: WebP in base64; null: none. */
    icon: text(),
    /** A hash of the icon's content. */
    icon_id: text(),
    /** SHA-256 (hex) of the reported file, so that the same one isn't decoded again. */
    icon_told_sha256: text(),
    changed_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    check("gameserver_details_icon", sql`(${table.icon} is null) = (${table.icon_id} is null)`),
    check("gameserver_details_icon_size", sql`char_length(${table.icon}) <= 100000`),
  ],
);
