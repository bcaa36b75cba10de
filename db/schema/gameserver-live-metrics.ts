// The last measurement of each game server, and when its next poll is due. One row per game server, created by a trigger.
import { sql } from "drizzle-orm";
import { boolean, check, integer, pgTable, smallint, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { FAILURES, MEASURED_STATUSES } from "#shared/statuses.ts";
import { oneOf } from "../one-of.ts";
import { gameserver } from "./gameserver.ts";

export const gameserverLiveMetrics = pgTable(
  "gameserver_live_metrics",
  {
    server_id: integer()
      .primaryKey()
      .references(() => gameserver.server_id, { onDelete: "cascade" }),
    status: text({ enum: MEASURED_STATUSES }).notNull().default("unknown"),
    /** Players without bots; null if not reported. Never 0 for "not known". */
    user_online: integer(),
    /** Bots, if the protocol distinguishes them; never part of user_online. */
    bots_online: integer(),
    /** The measured maximum; if null, the admin's user_max applies. */
    user_max_measured: integer(),
    /** The highest user_online ever accepted; never falls. */
    user_peak: integer(),
    user_peak_at: timestamp({ withTimezone: true }),
    user_peak_24h: integer(),
    user_peak_7d: integer(),
    version_measured: text(),
    map: text(),
    /** True if the game server reports that it requires a password; null if not reported. */
    password_protected: boolean(),
    status_since: timestamp({ withTimezone: true }),
    /** The first judged poll: nothing is claimed about the time before. Never moves. */
    first_asked_at: timestamp({ withTimezone: true }),
    /** The last judged poll, whatever its result. */
    last_asked_at: timestamp({ withTimezone: true }),
    /** The last answer. */
    last_answered_at: timestamp({ withTimezone: true }),
    latency_ms: integer(),
    failure: text({ enum: FAILURES }),
    failures_in_row: smallint().notNull().default(0),
    /** A heartbeat's own time and figures; the collector reads them as the adapter's answer. */
    heartbeat_at: timestamp({ withTimezone: true }),
    heartbeat_players: integer(),
    heartbeat_max: integer(),
    heartbeat_version: text(),
    /** When the contents of gameserver_details were last polled. */
    details_asked_at: timestamp({ withTimezone: true }),
    next_poll_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    claimed_by: uuid(),
    claimed_until: timestamp({ withTimezone: true }),
  },
  (table) => [
    // No index on next_poll_at: every result moves it and would rewrite every index of its row; reading the few thousand rows of
    // this table completely costs less.
    check("gameserver_live_metrics_status", oneOf(table.status, MEASURED_STATUSES)),
    check(
      "gameserver_live_metrics_counts",
      sql`${table.user_online} between 0 and 100000 and ${table.user_peak} between 0 and 100000`,
    ),
  ],
);
