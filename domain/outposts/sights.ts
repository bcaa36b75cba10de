/** Results of outposts, for pages: which ones reach a game server that the site can't, and response times elsewhere. */
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { gameserver, gameserverLiveMetrics as live, outpostResults, outposts } from "#db/schema/index.ts";
import type { MeasuredStatus } from "#shared/statuses.ts";

/** A result counts as current for this long, in s. */
const SIGHT_FRESH_S = 60;

/** One outpost's last result for a game server at its current address. */
export type Sight = Awaited<ReturnType<typeof listSights>>[number];

/** Lists the last results of all outposts, by name, for these game servers or all: no older than three polling intervals. */
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
 * Lists the places that reach a game server now. Ignores results from before our own doubt began: they say nothing about now.
 * @param measured.status our own measurement. @param now in ms of the database's clock
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

/** Lists differences between outposts and us, for admins: up there and not here, or not there and up here. */
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
