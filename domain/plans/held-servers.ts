// Putting the game servers of a plan into maintenance, and letting them go: by their lifecycle and its end, as an admin would.
import { and, eq, gt, isNotNull, isNull, ne, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { planOccurrences, plans } from "#db/schema/index.ts";

/** What a plan is about: one game server, those of a game, or, where both are null, all. */
export type Scope = { server_id: number | null; game_id: number | null };

const inScope = ({ server_id, game_id }: Scope) => sql`(${server_id}::int is null or g.server_id = ${server_id}::int)
  and (${game_id}::int is null or g.game_id = ${game_id}::int)`;

/**
 * Puts them into maintenance up to `until`. Those that an admin has put into it without an end, or for longer, stay as they are, and
 * so do retired ones. How many it was.
 */
export async function holdServers(tx: Db, scope: Scope, until: Date): Promise<number> {
  const { rowCount } = await tx.execute(sql`
    with concerned as (
      select g.server_id from gameserver g
      where ${inScope(scope)} and (g.lifecycle = 'active'
        or g.lifecycle = 'maintenance' and g.maintenance_until < ${until.toISOString()}::timestamptz)
      order by g.server_id for update
    )
    update gameserver g
    set lifecycle = 'maintenance', maintenance_until = ${until.toISOString()}::timestamptz, updated_at = clock_timestamp()
    from concerned where concerned.server_id = g.server_id`);
  return rowCount ?? 0;
}

/**
 * Gives those that a plan holds up to `until` another end; null: now. None of an admin's own. Where another plan holds one for
 * longer, it stays until that is over. How many it was.
 */
export async function moveEnd(tx: Db, planId: number, scope: Scope, until: Date, end: Date | null): Promise<number> {
  const others = tx
    .select({
      server_id: plans.server_id,
      game_id: plans.game_id,
      ends_at: planOccurrences.ends_at,
    })
    .from(planOccurrences)
    .innerJoin(plans, eq(plans.plan_id, planOccurrences.plan_id))
    .where(
      and(
        ne(plans.plan_id, planId),
        isNotNull(planOccurrences.began_at),
        isNull(planOccurrences.over_at),
        gt(planOccurrences.ends_at, sql`now()`),
      ),
    );
  const { rowCount } = await tx.execute(sql`
    with others as (${others}), concerned as (
      select g.server_id, greatest(coalesce(${end?.toISOString() ?? null}::timestamptz, now()), (
        select max(o.ends_at) from others o where (o.server_id is null or o.server_id = g.server_id)
          and (o.game_id is null or o.game_id = g.game_id))) as ends_at
      from gameserver g
      where ${inScope(scope)} and g.lifecycle = 'maintenance' and g.maintenance_until = ${until.toISOString()}::timestamptz
      order by g.server_id for update
    )
    update gameserver g set updated_at = clock_timestamp(),
      lifecycle = case when concerned.ends_at > now() then 'maintenance' else 'active' end,
      maintenance_until = case when concerned.ends_at > now() then concerned.ends_at end
    from concerned where concerned.server_id = g.server_id`);
  return rowCount ?? 0;
}
