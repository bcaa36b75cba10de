/** Removing roll-ups that are over age. */
import type { Exclusively } from "../exclusively.ts";

/**
 * Removes rows of five minutes after 90 days and of an hour after two years; days stay for ever.
 * @param removeOld false while the clock is not known to run steadily: a wrong date must not cost the history
 */
export async function removeOldRollUps(exclusively: Exclusively, removeOld: boolean): Promise<void> {
  if (!removeOld) return;
  await exclusively(async (transaction) => {
    // Through the game servers, so that the key of these tables finds the old rows and needs no second index.
    await transaction`DELETE FROM gameserver_rollup_5m old USING gameserver
      WHERE old.server_id = gameserver.server_id AND starts_at < now() - interval '90 days'`;
    await transaction`DELETE FROM gameserver_rollup_1h old USING gameserver
      WHERE old.server_id = gameserver.server_id AND starts_at < now() - interval '2 years'`;
  });
}
