/** A made-up year of a game server's history, up to now: a day's and a week's rhythm, down times, gaps. */
import type { Queryable } from "#db/sql.ts";

/** Fills the three roll-ups and the status events of every game server with a year, as the collector would have left them. */
export async function addYearOfHistory(sql: Pick<Queryable, "unsafe">): Promise<void> {
  // Every width is made of the same five minutes: of hours and days what 90 days of these would give, further back the same rhythm.
  await sql.unsafe(`
    INSERT INTO gameserver_rollup_5m SELECT server_id, at, greatest(0, level - 3), level + 4, level * 10 + 5, 10, 10, 300 - down, down
    FROM gameserver, generate_series(date_bin('5 minutes', now(), 'epoch') - interval '90 days', now() - interval '5 minutes', '5 minutes') at,
      LATERAL (SELECT round(12 + 10 * sin((extract(hour from at) + extract(minute from at) / 60 - 13) * pi() / 12)
        + CASE WHEN extract(isodow from at) >= 5 THEN 9 ELSE 0 END + 2 * sin(extract(epoch from at) / 700 + server_id))::int AS level) l,
      LATERAL (SELECT CASE WHEN extract(doy from at)::int % 6 = 2 AND extract(hour from at) = 4 THEN 300 ELSE 0 END AS down) d
    WHERE NOT (extract(doy from at)::int % 9 = 4 AND extract(hour from at) BETWEEN 9 AND 14)`);
  await sql.unsafe(`
    INSERT INTO gameserver_rollup_1h SELECT server_id, date_bin('1 hour', at, 'epoch'), greatest(0, level - 4), level + 6, level * 120, 120, 120, 3600 - down, down
    FROM gameserver, generate_series(date_bin('1 hour', now(), 'epoch') - interval '1 year', now(), '1 hour') at,
      LATERAL (SELECT round(12 + 10 * sin((extract(hour from at) - 13) * pi() / 12)
        + CASE WHEN extract(isodow from at) >= 5 THEN 9 ELSE 0 END + 4 * sin(extract(doy from at) / 20 + server_id))::int AS level) l,
      LATERAL (SELECT CASE WHEN extract(doy from at)::int % 6 = 2 AND extract(hour from at) = 4 THEN 3600 ELSE 0 END AS down) d
    WHERE NOT (extract(doy from at)::int % 9 = 4 AND extract(hour from at) BETWEEN 9 AND 14)`);
  await sql.unsafe(`
    INSERT INTO gameserver_rollup_1d SELECT server_id, date_bin('1 day', starts_at, 'epoch'), min(user_min), max(user_max),
      sum(user_sum), sum(user_count), sum(asked), sum(up_s), sum(down_s)
    FROM gameserver_rollup_1h GROUP BY 1, 2`);
  await sql.unsafe(`
    INSERT INTO gameserver_status_event (server_id, from_status, to_status, changed_at)
    SELECT server_id, from_status, to_status, changed_at FROM (
      SELECT server_id, 'online' AS from_status, 'offline' AS to_status, min(starts_at) AS changed_at FROM gameserver_rollup_1h
      WHERE down_s > 0 GROUP BY server_id, starts_at
      UNION ALL SELECT server_id, 'offline', 'online', starts_at + interval '1 hour' FROM gameserver_rollup_1h WHERE down_s > 0
    ) turn ORDER BY changed_at`);
  await sql.unsafe(`
    UPDATE gameserver_live_metrics m SET first_asked_at = (SELECT min(starts_at) FROM gameserver_rollup_1h r WHERE r.server_id = m.server_id)`);
  await sql.unsafe("ANALYZE");
}
