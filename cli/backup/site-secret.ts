/** The secret of the site that is backed up: that very one, for a backup with another is worth nothing. */
import type { Config } from "#config";
import { connectDatabase } from "#db/client.ts";
import { readSecret } from "#domain/sign-in/secrets.ts";
import { checkOfSiteSecret, findSecretCheck } from "#domain/site/identity.ts";
import { describeSecretTrouble } from "#domain/site/secret.ts";
import { nameWithCheck } from "#web/shared-secret.ts";
import { StartError } from "../start-error.ts";

/**
 * What this site seals second factors with: AUTH_SECRET, or what its data folder holds. None is made here: a folder
 * without one is not the site's.
 * @throws {StartError} when there is none, or when a web process that runs on this database seals with another.
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
