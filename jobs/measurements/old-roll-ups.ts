/** Removes old roll-ups. */
import type { Exclusively } from "../exclusively.ts";

/**
 * Removes five-minute rows after 90 days and hourly ones after two years; daily ones stay forever.
 * @param removeOld false while the clock isn't known to run steadily: a wrong date must not cost the history
 */
export async function removeOldRollUps(exclusively: Exclusively, removeOld: boolean): Promise<void> {
  if (!removeOld) return;
  await exclusively(async (transaction) => {
    // By game server, so that the primary key finds the old rows and no second index is needed.
    await transaction`DELETE FROM gameserver_rollup_5m old USING gameserver
      WHERE old.server_id = gameserver.server_id AND starts_at < now() - interval '90 days'`;
    await transaction`DELETE FROM gameserver_rollup_1h old USING gameserver
      WHERE old.server_id = gameserver.server_id AND starts_at < now() - interval '2 years'`;
  });
}
