/** Finds the secret of the site to back up: a backup with another one is worthless. */
import type { Config } from "#config";
import { connectDatabase } from "#db/client.ts";
import { readSecret } from "#domain/accounts/secrets.ts";
import { checkOfSiteSecret, findSecretCheck } from "#domain/site/identity.ts";
import { describeSecretTrouble } from "#domain/site/secret.ts";
import { nameWithCheck } from "#web/shared-secret.ts";
import { StartError } from "../start-error.ts";

/**
 * Returns the secret that seals the site's second factors: AUTH_SECRET, or the data folder's. Creates none: a folder without one
 * isn't the site's.
 * @throws {StartError} if there is none, or a web process on this database uses another.
 */
export async function secretOfSite(
  { authSecret, dataDir }: Pick<Config, "authSecret" | "dataDir">,
  databaseUrl: string,
): Promise<string> {
  const secret = authSecret ?? (await readSecret(dataDir, "auth"));
  if (secret === null) {
    throw new StartError(
      `There is no secret in ${dataDir}, so it is not the data folder of the site. Set DATA_DIR, or AUTH_SECRET, to what the site has.`,
    );
  }
  const { db, sql, close } = connectDatabase({ databaseUrl }, { max: 1, applicationName: "spawnpoint backup" });
  try {
    const known = await findSecretCheck(db);
    if (known !== null && known !== checkOfSiteSecret(secret)) {
      throw new StartError(describeSecretTrouble("other", { authSecret, dataDir }));
    }
    const others = await sql`
      SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND usename = current_user
        AND application_name LIKE 'spawnpoint-web #%' AND application_name <> ${nameWithCheck(secret)}
      LIMIT 1`;
    if (others.length === 0) return secret;
  } finally {
    await close();
  }
  throw new StartError(
    `The site runs with another secret than ${authSecret ? "AUTH_SECRET" : `that of ${dataDir}`}. Set DATA_DIR, or AUTH_SECRET, to what the site has.`,
  );
}
