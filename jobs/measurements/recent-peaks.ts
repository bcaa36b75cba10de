/** Recomputes the peaks of the last 24 hours and 7 days. Results only raise them; this lets them fall. */
import { raw } from "#db/sql.ts";
import type { Exclusively } from "../exclusively.ts";

/** Recomputes one of the two peaks of every game server from its samples. */
export async function refreshRecentPeaks(exclusively: Exclusively, span: "24h" | "7d"): Promise<void> {
  const column = raw(span === "24h" ? "user_peak_24h" : "user_peak_7d");
  const age = span === "24h" ? "24 hours" : "7 days";
  await exclusively(async (transaction) => {
    // Skips locked rows until the next run.
    await transaction`
      WITH peak AS MATERIALIZED (
        SELECT server_id, max(user_online) AS users FROM gameserver_sample
        WHERE asked_at > now() - ${age}::interval GROUP BY server_id
      ), free AS (
        SELECT m.server_id FROM gameserver_live_metrics m LEFT JOIN peak USING (server_id)
        WHERE m.${column} IS DISTINCT FROM peak.users
        FOR UPDATE OF m SKIP LOCKED
      )
      UPDATE gameserver_live_metrics m SET ${column} =
        -- A count that was committed after this statement began to read is in the row, not in "peak".
        greatest(peak.users, CASE WHEN m.last_asked_at > now() - interval '1 minute' THEN m.user_online END)
      FROM free LEFT JOIN peak USING (server_id) WHERE m.server_id = free.server_id`;
  });
}
