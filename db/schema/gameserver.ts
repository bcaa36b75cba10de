// A game server as the admin describes it. Its measurements are in gameserver_live_metrics.
import { sql } from "drizzle-orm";
import { boolean, check, index, integer, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import type { AdapterId, AdapterOptions, SealedSecrets } from "#shared/adapters.ts";
import { PASSWORD_ACCESS } from "#shared/password-access.ts";
import { LIFECYCLES, VISIBILITIES } from "#shared/statuses.ts";
import { oneOf } from "../one-of.ts";
import { games, type LocalText } from "./games.ts";

/** A guide shows it in place of {link:name}. The address is https, or a page of the demo. */
export type GameServerLink = { name: string; label: LocalText; url: string };

export const gameserver = pgTable(
  "gameserver",
  {
    server_id: integer().primaryKey().generatedAlwaysAsIdentity(),
    game_id: integer()
      .notNull()
      .references(() => games.game_id),
    server_name: text().notNull(),
    /** The admin's maximum; null if the game server itself reports it. */
    user_max: integer(),
    visibility: text({ enum: VISIBILITIES }).notNull().default("hidden"),
    server_locations: text().array().notNull().default(sql`'{}'::text[]`),
    lifecycle: text({ enum: LIFECYCLES }).notNull().default("active"),
    /** When a maintenance ends by itself; null: when an admin ends it. */
    maintenance_until: timestamp({ withTimezone: true }),
    /** Host name or address that players type; null until an admin sets one. */
    host: text(),
    /** The port that players type; null for a Minecraft server found by its SRV record. */
    game_port: integer(),
    /** The port that the adapter queries, if it isn't the game port. */
    query_port: integer(),
    adapter: text().$type<AdapterId>().notNull(),
    adapter_options: jsonb().$type<AdapterOptions>().notNull().default({}),
    /** The adapter's credentials, sealed with the site's secret. */
    adapter_secrets: jsonb().$type<SealedSecrets>().notNull().default({}),
    /** Seconds between two polls; null: the site's interval. */
    poll_interval_s: integer(),
    /** The game version according to the admin; pages prefer a measured one. */
    version: text(),
    /** Vanilla, Modded, Anarchy …: the kind of game that it offers. */
    flavour: text(),
    mods: text().array().notNull().default(sql`'{}'::text[]`),
    /** True if its own text, icon and mods are polled and shown (gameserver_details). */
    show_details: boolean().notNull().default(true),
    /** True if members may see the names of online players (gameserver_player_lists). Otherwise no name is read from an answer. */
    player_list: boolean().notNull().default(false),
    /** A link that opens the game at this server, with the placeholders of shared/join-href.ts; null if the game has none. */
    join_link: text(),
    /** A code that players type instead of an address (Windrose, Valheim with crossplay, Core Keeper); null: the game has none. */
    join_code: text(),
    /** The password that the game requires; null: none stored. password_access says who may read it. */
    password: text(),
    password_access: text({ enum: PASSWORD_ACCESS }).notNull().default("none"),
    /** Other requirements for joining: a whitelist, an application, an account of the game. */
    access_note: jsonb().$type<LocalText>(),
    /** Links of its guide (a launcher, a torrent, a registration), in the admin's order. */
    links: jsonb().$type<GameServerLink[]>().notNull().default([]),
    description: jsonb().$type<LocalText>(),
    sort_order: integer().notNull().default(0),
    /** SHA-256 (hex) of the bearer token with which the game machine reports; null: it may not. */
    heartbeat_token_hash: text().unique(),
    /** Points at a simulated game server of the demo; a start without the demo removes the address. */
    demo: boolean().notNull().default(false),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    updated_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    index("gameserver_of_game").on(table.game_id, table.sort_order, table.server_id),
    check("gameserver_visibility", oneOf(table.visibility, VISIBILITIES)),
    check("gameserver_lifecycle", oneOf(table.lifecycle, LIFECYCLES)),
    check("gameserver_password_access", oneOf(table.password_access, PASSWORD_ACCESS)),
    index("gameserver_maintenance_end").on(table.maintenance_until).where(sql`${table.maintenance_until} is not null`),
    // shared/adapters.ts lists them: a new one needs no migration.
    check("gameserver_adapter", sql`${table.adapter} ~ '^[a-z][a-z0-9-]{0,39}$'`),
    check(
      "gameserver_gamedig_type",
      sql`${table.adapter} <> 'gamedig' or ${table.adapter_options}->>'gamedigType' is not null`,
    ),
    check("gameserver_user_max", sql`${table.user_max} between 0 and 100000`),
    check(
      "gameserver_ports",
      sql`coalesce(${table.game_port}, 1024) between 1 and 65535 and coalesce(${table.query_port}, 1024) between 1 and 65535`,
    ),
    check("gameserver_poll_interval", sql`${table.poll_interval_s} between 1 and 3600`),
  ],
);
