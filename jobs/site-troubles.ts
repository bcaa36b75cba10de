// Checks for the site's own troubles (backup, disk, mail, certificate, collector, channels, database) and notifies about them.
import type { Config } from "#config";
import type { Db } from "#db/client.ts";
import { findTroubles, noteTroubles, noteWritesAgain } from "#domain/site/troubles.ts";

type Parts = { db: Db; config: Config; certificate(): number | null };

/** A database unavailable for less than this was restarted. */
const AWAY_MS = 2 * 60_000;

/** When this process's runs began to fail, by the steady clock. */
const failingSince = new WeakMap<Config, number>();

/** Checks once. Rejects while the database refuses writes, and reports that at the first run that succeeds again. */
export async function lookForTroubles({ db, config, certificate }: Parts): Promise<void> {
  try {
    const place = { dataDir: config.dataDir, backups: config.backups, certificateDays: certificate() };
    await noteTroubles(db, await findTroubles(db, place));
    const since = failingSince.get(config);
    if (since !== undefined && performance.now() - since >= AWAY_MS) await noteWritesAgain(db);
    failingSince.delete(config);
  } catch (error) {
    if (!failingSince.has(config)) failingSince.set(config, performance.now());
    throw error;
  }
}
