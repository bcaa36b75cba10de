/** What `spawnpoint web` logs, started by itself, while nobody administers the site. */
import type { Config } from "#config";
import { connectDatabase } from "#db/client.ts";
import { hasAdmin } from "#domain/members/roles.ts";
import type { Log } from "../process/log.ts";

/**
 * Says which command makes the first admin. It prints no link as `start` does: of several machines each would make that of the
 * one before void. While the database is away nothing is said; `spawnpoint check` says it at any time.
 */
export async function warnWithoutAdmin(config: Pick<Config, "databaseUrl">, log: Pick<Log, "warn" | "debug">) {
  const { db, close } = connectDatabase(config, { max: 1, applicationName: "spawnpoint web" });
  try {
    if (await hasAdmin(db)) return;
    log.warn("nobody administers this site yet: `spawnpoint create-admin you@example.org` prints a link to sign in");
  } catch (error) {
    log.debug({ err: error }, "nobody knows whether the site has an admin");
  } finally {
    await close();
  }
}
