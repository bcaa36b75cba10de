/** First step of every process that runs by itself: waits for its database, and checks that it is the site's. */
import type { Config } from "#config";
import { findDatabaseTrouble } from "#db/database-trouble.ts";
import { isMendable } from "../mendable.ts";
import type { Log } from "../process/log.ts";
import { MEND_FIRST } from "../start-error.ts";
import { admitSite } from "./admit-site.ts";
import { type visitorsOf, waitForDatabase } from "./wait-for-database.ts";

/**
 * False: stopped meanwhile. A missing DATABASE_URL is reported on opening the database.
 * @throws {StartError}
 */
export async function admitService(
  config: Config,
  log: Log,
  given: { told: AbortSignal; visitors?: ReturnType<typeof visitorsOf>; descriptor?: number | undefined },
): Promise<boolean> {
  const { databaseUrl, supervised } = config;
  if (!databaseUrl) return true;
  const { told: signal, ...place } = given;
  if (!(await waitForDatabase(databaseUrl, log, { signal, ...place, quick: supervised, tables: !supervised })))
    return false;
  // `spawnpoint start`, or the worker's parent, has done so.
  if (!supervised) await admitSite(config, databaseUrl);
  return true;
}

/**
 * Returns the exit code for an error that ended a service; logs one line if an operator can fix it. A passing error (the database
 * went away again) allows a restart.
 */
export function endOfService(error: unknown, { databaseUrl }: Config, log: Log): number {
  if (isMendable(error)) {
    log.error(error.message);
    return MEND_FIRST;
  }
  const trouble = databaseUrl ? findDatabaseTrouble(error, databaseUrl) : null;
  if (trouble === null) throw error;
  log.error(trouble.passes ? `the database went away during the start: ${trouble.text}` : trouble.text);
  return trouble.passes ? 1 : MEND_FIRST;
}
