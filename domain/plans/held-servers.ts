// Puts a plan's game servers into maintenance and releases them, through the lifecycle and its end, as an admin would.
import { and, eq, gt, isNotNull, isNull, ne, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { planOccurrences, plans } from "#db/schema/index.ts";

/** The scope of a plan: one game server, a game's, or, where both are null, all. */
export type Scope = { server_id: number | null; game_id: number | null };

const inScope = ({ server_id, game_id }: Scope) => sql`(${server_id}::int is null or g.server_id = ${server_id}::int)
  and (${game_id}::int is null or g.game_id = ${game_id}::int)`;

/**
 * Puts servers into maintenance until `until`. Skips retired ones and those that an admin put into maintenance without an end or
 * for longer. Returns how many changed.
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
 * Changes the end of a plan's maintenance that lasts until `until`; null: now. Skips an admin's own. A server that another plan
 * holds longer stays until that plan's end. Returns how many changed.
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
