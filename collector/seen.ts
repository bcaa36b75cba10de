/** Reads what all collectors know about the game servers that count as evidence, and makes some due ahead of schedule. */
import type { Sql } from "#db/sql.ts";
import { ASKED_ADAPTERS } from "#shared/adapters.ts";
import type { Seen } from "./common-evidence.ts";

/**
 * Returns the game servers that are polled over the network, meant to run, and have answered before; of the offline ones only those
 * that went offline within two intervals and 10 s.
 */
export async function findSeen(sql: Sql, siteIntervalS: number): Promise<Seen[]> {
  return sql<Seen[]>`
    SELECT m.server_id AS "serverId", g.host, m.status,
      (extract(epoch FROM m.status_since) * 1000)::float8 AS "statusSince",
      (extract(epoch FROM m.last_answered_at) * 1000)::float8 AS "lastAnsweredAt",
      coalesce(g.poll_interval_s, ${siteIntervalS}::int) * 1000 AS "intervalMs"
    FROM gameserver_live_metrics m JOIN gameserver g USING (server_id)
    WHERE g.lifecycle = 'active' AND g.adapter = ANY (${ASKED_ADAPTERS}::text[]) AND g.host IS NOT NULL
      AND m.last_answered_at IS NOT NULL AND m.status_since IS NOT NULL
      AND (m.status IN ('online', 'degraded')
        OR (m.status = 'offline' AND m.status_since > now() - ${siteIntervalS * 2 + 10}::int * interval '1 second'))`;
}

/** Makes servers due now, whatever their plan; skips those being polled. */
export async function askSoon(sql: Sql, serverIds: number[]): Promise<void> {
  if (serverIds.length === 0) return;
  // Locks in id order and skips locked rows: nothing waits.
  await sql`
    UPDATE gameserver_live_metrics SET next_poll_at = now() WHERE server_id IN (
      SELECT server_id FROM gameserver_live_metrics
      WHERE server_id = ANY (${serverIds}::int[]) AND next_poll_at > now()
        AND (claimed_until IS NULL OR claimed_until <= now())
      ORDER BY server_id FOR UPDATE SKIP LOCKED)`;
}
