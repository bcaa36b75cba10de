// Live cards: one message in a Discord channel that shows the site, a game or a game server, and is edited in place.
import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { oneOf } from "../one-of.ts";
import { games } from "./games.ts";
import { gameserver } from "./gameserver.ts";
import { notificationTargets } from "./notification-targets.ts";
import { LOCALES } from "./profiles.ts";

export const CARD_KINDS = ["site", "game", "server"] as const;

/**
 * - `waiting`: no message yet; `making`: one is being posted until claimed_until, after which it is in doubt
 * - `shown`: message_id is its message
 * - `doubtful`: unknown whether a message was posted; no second one is
 * - `removed`: its message was deleted in Discord, the second one too
 * - `ending`: its message is to be deleted, then the row
 */
export const CARD_STATES = ["waiting", "making", "shown", "doubtful", "removed", "ending"] as const;

export const discordCards = pgTable(
  "discord_cards",
  {
    card_id: uuid().primaryKey().defaultRandom(),
    /** The webhook that posts it. */
    target_id: uuid()
      .notNull()
      .references(() => notificationTargets.target_id, { onDelete: "cascade" }),
    kind: text({ enum: CARD_KINDS }).notNull(),
    /** Null if the card's game or game server was deleted: its message must still be deleted. */
    game_id: integer().references(() => games.game_id, { onDelete: "set null" }),
    server_id: integer().references(() => gameserver.server_id, { onDelete: "set null" }),
    locale: text({ enum: LOCALES }).notNull(),
    state: text({ enum: CARD_STATES }).notNull().default("waiting"),
    message_id: text(),
    /** Hash of the message's content, without the time. */
    content_hash: text(),
    /** When its message was last posted or edited. */
    shown_at: timestamp({ withTimezone: true }),
    /** When a deleted message was posted again, which happens once. */
    remade_at: timestamp({ withTimezone: true }),
    /** Not processed before. */
    next_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    /** A process works on it until then. */
    claimed_until: timestamp({ withTimezone: true }),
    /** Failures in a row. */
    failures: integer().notNull().default(0),
    last_error: text(),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex("discord_cards_site").on(table.target_id).where(sql`${table.kind} = 'site'`),
    uniqueIndex("discord_cards_game").on(table.target_id, table.game_id),
    uniqueIndex("discord_cards_server").on(table.target_id, table.server_id),
    index("discord_cards_of_game").on(table.game_id),
    index("discord_cards_of_server").on(table.server_id),
    check("discord_cards_kind", oneOf(table.kind, CARD_KINDS)),
    check("discord_cards_state", oneOf(table.state, CARD_STATES)),
    check("discord_cards_locale", oneOf(table.locale, LOCALES)),
    check("discord_cards_shown", sql`${table.state} <> 'shown' or ${table.message_id} is not null`),
  ],
);
