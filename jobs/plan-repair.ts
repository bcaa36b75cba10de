/** Repairs poll schedules and claims without a living collector. */
import type { Sql } from "#db/sql.ts";
import { DEAD_AFTER_S } from "#domain/site/collector-processes.ts";

/**
 * Releases claims of dead collectors before they expire, and resets poll times or claims so far ahead that a clock must have been
 * wrong. Returns how many rows.
 */
export async function repairPlans(sql: Sql, collectorId: string, siteIntervalS: number): Promise<number> {
  const repaired = await sql`
    UPDATE gameserver_live_metrics m SET claimed_by = NULL, claimed_until = NULL,
      next_poll_at = CASE WHEN ahead.is_wrong THEN now() ELSE m.next_poll_at END
    FROM (
      SELECT server_id,
        m.next_poll_at > now() + greatest(coalesce(g.poll_interval_s, ${siteIntervalS}::int) * 2, 60) * interval '1 second'
          OR m.claimed_until > now() + greatest(coalesce(g.poll_interval_s, ${siteIntervalS}::int) * 3, 30) * interval '1 second'
          AS is_wrong
      FROM gameserver_live_metrics m JOIN gameserver g USING (server_id)
    ) AS ahead
    WHERE ahead.server_id = m.server_id AND (
      ahead.is_wrong IS TRUE
      OR (m.claimed_by <> ${collectorId}::uuid AND NOT EXISTS (
        SELECT FROM collector_process p
        WHERE p.collector_id = m.claimed_by AND p.last_tick_at > now() - ${DEAD_AFTER_S}::int * interval '1 second'))
    ) RETURNING 1`;
  return repaired.length;
}
