/** Ends maintenances past their end: the game server becomes active and is polled at once. */
import type { Sql } from "#db/sql.ts";

/** Writes their audit rows too. Returns how many maintenances ended. */
export async function endMaintenances(sql: Sql): Promise<number> {
  // Check first: an update without rows still notifies every web process of a change.
  const due = await sql`
    SELECT FROM gameserver WHERE maintenance_until <= now() AND lifecycle = 'maintenance' LIMIT 1`;
  if (due.length === 0) return 0;
  const ended = await sql`
    WITH due AS (
      SELECT server_id, maintenance_until FROM gameserver
      WHERE maintenance_until <= now() AND lifecycle = 'maintenance'
      FOR UPDATE SKIP LOCKED
    ), ended AS (
      UPDATE gameserver g SET lifecycle = 'active', maintenance_until = NULL, updated_at = clock_timestamp()
      FROM due WHERE due.server_id = g.server_id
      RETURNING g.server_id
    )
    INSERT INTO audit_events (what, subject_type, subject_id, details)
    SELECT 'gameserver-updated', 'gameserver', ended.server_id::text, jsonb_build_object(
      'by', 'maintenance_until',
      'before', jsonb_build_object('lifecycle', 'maintenance', 'maintenance_until', due.maintenance_until),
      'after', jsonb_build_object('lifecycle', 'active', 'maintenance_until', NULL))
    FROM ended JOIN due USING (server_id)
    RETURNING 1`;
  return ended.length;
}
