/** What outposts see of the game servers, for pages: who reaches what we do not, and how long answers take elsewhere. */
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { gameserver, gameserverLiveMetrics as live, outpostResults, outposts } from "#db/schema/index.ts";
import type { MeasuredStatus } from "#shared/statuses.ts";

/** A result counts as what an outpost sees now for so long, in s. */
const SIGHT_FRESH_S = 60;

/** What one outpost last saw of one game server, at its present address. */
export type Sight = Awaited<ReturnType<typeof listSights>>[number];

/** The last results of all outposts, by their names, of these game servers or of all: no older than three of its intervals. */
export function listSights(db: Db, siteIntervalS: number, serverIds?: number[]) {
  return db
    .select({
      server_id: outpostResults.server_id,
      place: outposts.name,
      ok: outpostResults.ok,
      latency_ms: outpostResults.latency_ms,
      asked_at: outpostResults.asked_at,
    })
    .from(outpostResults)
    .innerJoin(outposts, eq(outposts.outpost_id, outpostResults.outpost_id))
    .innerJoin(gameserver, eq(gameserver.server_id, outpostResults.server_id))
    .where(
      and(
        serverIds && inArray(outpostResults.server_id, serverIds),
        sql`${outpostResults.target_key} = gameserver_target_key(${gameserver})`,
        sql`${outpostResults.asked_at} > now() - make_interval(secs => greatest(${SIGHT_FRESH_S}::int, 3 * coalesce(${gameserver.poll_interval_s}, ${siteIntervalS}::int)))`,
      ),
    )
    .orderBy(asc(outpostResults.server_id), asc(outposts.name));
}

/**
 * The places that reach a game server now. Not what was seen before we began to doubt it: that says nothing of now.
 * @param measured.status what we measured ourselves. @param now in ms of the database's clock
 */
export function placesThatReach(
  sights: readonly Sight[],
  measured: { status: MeasuredStatus; status_since: Date | null },
  now: number,
): string[] {
  const from = Math.max(
    now - SIGHT_FRESH_S * 1000,
    measured.status === "degraded" ? (measured.status_since?.getTime() ?? 0) : 0,
  );
  return sights.filter(({ ok, asked_at }) => ok && asked_at.getTime() >= from).map(({ place }) => place);
}

/** What outposts see otherwise than we do now, for admins: up there and not here, or not there and up here. */
export function listDifferences(db: Db, most: number) {
  return db
    .select({
      place: outposts.name,
      server_id: gameserver.server_id,
      server_name: gameserver.server_name,
      ok: outpostResults.ok,
      failure: outpostResults.failure,
    })
    .from(outpostResults)
    .innerJoin(outposts, eq(outposts.outpost_id, outpostResults.outpost_id))
    .innerJoin(gameserver, eq(gameserver.server_id, outpostResults.server_id))
    .innerJoin(live, eq(live.server_id, outpostResults.server_id))
    .where(
      and(
        sql`${outpostResults.target_key} = gameserver_target_key(${gameserver})`,
        sql`${outpostResults.asked_at} > now() - make_interval(secs => ${SIGHT_FRESH_S}::int)`,
        sql`${live.last_asked_at} is not null`,
        sql`${outpostResults.ok} <> (${live.status} = 'online')`,
      ),
    )
    .orderBy(asc(gameserver.server_name), asc(gameserver.server_id), asc(outposts.name))
    .limit(most);
}
