// Removes all demo data from the database, so that a start without the demo shows nothing made up.
import { and, eq, inArray, sql } from "drizzle-orm";
import { FIRST_GAMES } from "#content/first-games.ts";
import type { Db } from "#db/client.ts";
import {
  games,
  gameserver,
  gameserverLiveMetrics,
  gameserverRollup1d,
  gameserverRollup1h,
  gameserverRollup5m,
  gameserverSample,
  gameserverStatusEvent,
  gameserverWatchGap,
} from "#db/schema/index.ts";
import { removeDemoTellings } from "./demo-tellings.ts";
import { DEMO_ONLY } from "./fleet-plan.ts";
import { DEMO_HOST, intendedPorts } from "./fleet-rows.ts";

const realLinks = sql`jsonb_path_query_array(${gameserver.links}, '$[*] ? (!(@.url starts with "/demo/"))')`;

/** A game as the demo inserted it, without a playable game server. */
const untouched = sql`${games.updated_at} = ${games.created_at} and not exists (
  select from ${gameserver} where ${gameserver.game_id} = ${games.game_id}
    and ${gameserver.visibility} <> 'hidden' and ${gameserver.lifecycle} <> 'retired')`;

/**
 * Deletes the game servers that only the demo has, removes address, visibility and token from the others, and deletes what was
 * measured of both, in one transaction. Unpublishes the demo's unedited games. A row with a new address from an admin keeps it, but
 * loses its figures: mock ones can't be told apart. Also deletes the demo's news, plan and incident. One small query if there is
 * nothing.
 */
export async function endDemo(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    const rows = await tx
      .select({
        server_id: gameserver.server_id,
        server_name: gameserver.server_name,
        game_slug: games.game_slug,
        host: gameserver.host,
      })
      .from(gameserver)
      .innerJoin(games, eq(games.game_id, gameserver.game_id))
      .where(eq(gameserver.demo, true))
      .for("update", { of: gameserver });
    // Links to pages of the demo lead nowhere now; also in rows that the operator has taken over.
    await tx
      .update(gameserver)
      .set({ links: realLinks, updated_at: new Date() })
      .where(sql`${gameserver.links} @? '$[*] ? (@.url starts with "/demo/")'`);
    if (rows.length === 0) return;
    await removeDemoTellings(tx);

    const ids = rows.map((row) => row.server_id);
    await tx.delete(gameserverSample).where(inArray(gameserverSample.server_id, ids));
    for (const rollUp of [gameserverRollup5m, gameserverRollup1h, gameserverRollup1d])
      await tx.delete(rollUp).where(inArray(rollUp.server_id, ids));

    const ours = rows.filter((row) => row.host === null || row.host === DEMO_HOST);
    const extras = ours.filter(isDemoOnly).map((row) => row.server_id);
    if (extras.length > 0) await tx.delete(gameserver).where(inArray(gameserver.server_id, extras));
    for (const row of ours.filter((row) => !isDemoOnly(row))) {
      await tx
        .update(gameserver)
        .set({ ...intendedPorts(row), host: null, visibility: "hidden", heartbeat_token_hash: null })
        .where(eq(gameserver.server_id, row.server_id));
    }
    await tx
      .update(gameserver)
      .set({ demo: false, updated_at: new Date() })
      .where(and(eq(gameserver.demo, true), inArray(gameserver.server_id, ids)));
    await forgetFigures(tx, ids);
    // Last: removing an address was recorded as well.
    await tx.delete(gameserverStatusEvent).where(inArray(gameserverStatusEvent.server_id, ids));
    await tx.delete(gameserverWatchGap).where(inArray(gameserverWatchGap.server_id, ids));
    const slugs = FIRST_GAMES.map(({ game_slug }) => game_slug);
    await tx
      .update(games)
      .set({ published: false })
      .where(and(inArray(games.game_slug, slugs), untouched));
  });
}

/** Identified by game and name: a renamed one only loses its address, which is harmless. */
function isDemoOnly(row: { game_slug: string; server_name: string }): boolean {
  return DEMO_ONLY.some((extra) => extra.game_slug === row.game_slug && extra.server_name === row.server_name);
}

async function forgetFigures(db: Db, ids: number[]): Promise<void> {
  await db
    .update(gameserverLiveMetrics)
    .set({
      status: "unknown",
      status_since: null,
      user_online: null,
      bots_online: null,
      user_max_measured: null,
      user_peak: null,
      user_peak_at: null,
      user_peak_24h: null,
      user_peak_7d: null,
      version_measured: null,
      map: null,
      password_protected: null,
      failure: null,
      failures_in_row: 0,
      latency_ms: null,
      first_asked_at: null,
      last_asked_at: null,
      last_answered_at: null,
      heartbeat_at: null,
      heartbeat_players: null,
      heartbeat_max: null,
      heartbeat_version: null,
      next_poll_at: sql`now()`,
      claimed_by: null,
      claimed_until: null,
    })
    .where(inArray(gameserverLiveMetrics.server_id, ids));
}
