/** Warns in a directly started `spawnpoint web` while the site has no admin. */
import type { Config } from "#config";
import { connectDatabase } from "#db/client.ts";
import { hasAdmin } from "#domain/members/roles.ts";
import type { Log } from "../process/log.ts";

/**
 * Names the command that creates the first admin. Unlike `start` it prints no link: on several machines each would invalidate the
 * last. Silent while the database is unavailable; `spawnpoint check` always reports it.
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
