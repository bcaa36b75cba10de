// Finds the database of a running site, for commands beside it.
import type { Config } from "#config";
import { findRunningPostgres } from "#db/postgres/running.ts";
import { StartError } from "../start-error.ts";
import { typedCommand } from "../typed-command.ts";

/**
 * Returns its address: the configured one, or that of the Postgres of a running `spawnpoint start` in the data folder.
 * @throws {StartError} if there is neither
 */
export async function databaseOf(config: Config): Promise<string> {
  const databaseUrl = config.databaseUrl ?? (await findRunningPostgres(config.dataDir));
  if (databaseUrl) return databaseUrl;
  throw new StartError(
    `No running database was found in ${config.dataDir}. Start the site first (\`${typedCommand("start")}\`), or set DATABASE_URL.`,
  );
}
