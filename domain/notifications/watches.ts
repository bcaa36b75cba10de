// Player-count thresholds that follows and rules wait for: when one is reached, and which rows the collector checks.
import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import type { WATCH_KINDS } from "#db/schema/notification-watches.ts";

export type WatchKind = (typeof WATCH_KINDS)[number];

type Counts = { shown: string; user_online: number | null; user_max: number | null };

/** True if a game server fulfils a watch. */
export function fitsThreshold(kind: WatchKind, threshold: number, now: Counts): boolean {
  if (now.shown !== "online" || now.user_online === null) return false;
  if (kind === "players_reached") return now.user_online >= threshold;
  if (!now.user_max) return false;
  return kind === "seat_free" ? now.user_online < now.user_max : now.user_online >= now.user_max;
}

/**
 * `fitsThreshold` in SQL, for a watch's row (its `kind` and `threshold`) and two expressions for players and slots. Null if
 * unknown.
 */
export const FITS_IN_SQL = (online: string, most: string): string => `case kind
  when 'players_reached' then ${online} >= threshold
  when 'seat_free' then ${online} < nullif(${most}, 0)
  else ${online} >= nullif(${most}, 0) end`;

/** True if the count is low enough again for the next crossing to count: `REARMS_IN_SQL` of `players_reached`. */
export const isClearlyBelow = (online: number, threshold: number): boolean =>
  online <= threshold - Math.max(1, Math.ceil(threshold * 0.1));

/** SQL: is the number clearly on the other side again (a tenth, at least one), so that the next crossing counts? */
export const REARMS_IN_SQL = (online: string, most: string): string => `case kind
  when 'players_reached' then ${online} <= threshold - greatest(1, ceil(threshold * 0.1))
  when 'seat_free' then ${online} >= nullif(${most}, 0)
  else nullif(${most}, 0) - ${online} >= greatest(1, ceil(${most} * 0.1)) end`;

/**
 * Creates the watches that follows and rules need, of one game server, of a game's servers, or of all; removes unneeded ones. A new
 * one is armed only if it would not fire at once: a watch for five players on a server with twelve waits for the next crossing.
 */
export async function syncWatches(db: Db, about: { server_id?: number | null; game_id?: number | null } = {}) {
  const here = sql`s.lifecycle <> 'retired'
    and (${about.server_id ?? null}::int is null or s.server_id = ${about.server_id ?? null}::int)
    and (${about.game_id ?? null}::int is null or s.game_id = ${about.game_id ?? null}::int)`;
  await db.execute(sql`
    with wanted as materialized (
      select distinct s.server_id, f.kind, coalesce(f.threshold, 0) as threshold
      from follows f join gameserver s on s.server_id = f.server_id or s.game_id = f.game_id
      where f.kind in ('seat_free', 'players_reached') and ${here}
      union
      select s.server_id, asked.kind, 0 from notification_rules r cross join unnest(r.kinds) as asked (kind)
      join gameserver s on s.server_id = coalesce(r.server_id, s.server_id) and s.game_id = coalesce(r.game_id, s.game_id)
      where r.enabled and asked.kind in ('seat_free', 'server_full') and ${here}
    ), unwanted as materialized (
      select w.server_id, w.kind, w.threshold from notification_watches w join gameserver s using (server_id)
      where (${here} or s.lifecycle = 'retired') and not exists (
        select from wanted where wanted.server_id = w.server_id and wanted.kind = w.kind and wanted.threshold = w.threshold)
      order by w.server_id, w.kind, w.threshold for update of w
    ), gone as (
      delete from notification_watches w using unwanted
      where (w.server_id, w.kind, w.threshold) = (unwanted.server_id, unwanted.kind, unwanted.threshold)
    )
    insert into notification_watches (server_id, kind, threshold, armed)
    select server_id, kind, threshold,
      -- A seat is free again only where none was.
      not coalesce(${sql.raw(FITS_IN_SQL("m.user_online", "coalesce(m.user_max_measured, s.user_max)"))}, kind = 'seat_free')
    from wanted join gameserver_live_metrics m using (server_id) join gameserver s using (server_id)
    on conflict do nothing`);
}
