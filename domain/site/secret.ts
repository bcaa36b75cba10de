// The site's secret: finds it, compares it with the database's check value, and creates one only if none existed.
import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import path from "node:path";
import { eq, sql } from "drizzle-orm";
import { ConfigError } from "#config";
import { LOCKS } from "#db/advisory-locks.ts";
import type { Db } from "#db/client.ts";
import { twoFactors } from "#db/schema/index.ts";
import { loadSecret, readSecret } from "../accounts/secrets.ts";
import { checkOfSiteSecret, findSecretCheck, rememberSecretCheck } from "./identity.ts";

/** Its name in the secrets folder. */
export const SITE_SECRET = "auth";
/** The next secret: in the folder while the database changes over. */
export const NEXT_SITE_SECRET = "auth-next";

type Place = { authSecret?: string | undefined; dataDir: string };

/** `missing`: there is none here. `other`: not the one known to the database. */
export type SecretTrouble = "missing" | "other";

/**
 * Checks whether the secret here is the site's; read-only. Null: it is, or the site has none yet. A change interrupted after the
 * database changed over counts as done.
 */
export async function findSecretTrouble(db: Db, place: Place): Promise<SecretTrouble | null> {
  const known = await findSecretCheck(db);
  if (known === null) return null;
  const secrets = await readCandidates(place);
  if (secrets.some((secret) => checkOfSiteSecret(secret) === known)) return null;
  return secrets.length === 0 ? "missing" : "other";
}

/**
 * Returns the site's secret. If the database has no check value yet, adopts the secret here or creates one.
 * @throws {ConfigError} when it is missing or another one; creates and writes nothing then.
 */
export async function openSiteSecret(db: Db, place: Place): Promise<string> {
  const known = await findSecretCheck(db);
  if (known === null) {
    const secret = place.authSecret ?? (await loadSecret(place.dataDir, SITE_SECRET));
    if ((await rememberSecretCheck(db, secret)) === checkOfSiteSecret(secret)) return secret;
    throw new ConfigError(describeSecretTrouble("other", place));
  }
  const secrets = await readCandidates(place);
  const right = secrets.find((secret) => checkOfSiteSecret(secret) === known);
  if (right === undefined) {
    throw new ConfigError(describeSecretTrouble(secrets.length === 0 ? "missing" : "other", place));
  }
  if (!place.authSecret && right !== secrets[0]) await takeNextSecret(place.dataDir);
  return right;
}

/**
 * Checks, once the caller is visible among the database's connections, that the secret hasn't changed meanwhile: waits for a change
 * in progress; a later one sees the caller and is refused.
 * @throws {ConfigError}
 */
export async function confirmSiteSecret(db: Db, secret: string, place: Place): Promise<void> {
  const known = await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock_shared(${LOCKS.secret})`);
    return findSecretCheck(tx);
  });
  if (known !== checkOfSiteSecret(secret)) throw new ConfigError(describeSecretTrouble("other", place));
}

/** Returns the secret here, then the one left by an interrupted change. Doesn't check which is the site's. */
export async function readCandidates({ authSecret, dataDir }: Place): Promise<string[]> {
  if (authSecret) return [authSecret];
  const found = [await readSecret(dataDir, SITE_SECRET), await readSecret(dataDir, NEXT_SITE_SECRET)];
  return found.filter((secret) => secret !== null);
}

/** Moves the next secret into place. Of several processes at once, the others find it done. */
export async function takeNextSecret(dataDir: string): Promise<void> {
  const [next, current] = [NEXT_SITE_SECRET, SITE_SECRET].map((name) => path.join(dataDir, "secrets", name));
  if (!next || !current || !existsSync(next)) return;
  await rename(next, current).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
}

/** Counts people whose second factor would stop working. */
export function countSecondFactors(db: Db): Promise<number> {
  return db.$count(twoFactors, eq(twoFactors.verified, true));
}

/**
 * Describes the trouble to an operator: what would be lost, and each solution.
 * @param about.secondFactors of how many people; absent if not counted
 * @param about.backup the file of a backup that holds the secret
 */
export function describeSecretTrouble(
  trouble: SecretTrouble,
  { authSecret, dataDir }: Place,
  about: { secondFactors?: number; backup?: string | null } = {},
): string {
  const file = path.join(dataDir, "secrets", SITE_SECRET);
  const { secondFactors: count, backup } = about;
  const whose = count === undefined ? "people" : `${count} ${count === 1 ? "person" : "people"}`;
  const lost = `the second factors and recovery codes of ${whose} would not work any more, and everybody would be signed out`;
  const back = backup
    ? `Put it back from the backup ${backup} (\`tar --zstd -xOf ${backup} secrets/${SITE_SECRET} > ${file} && chmod 600 ${file}\`)`
    : `Put ${file} back from a backup (\`tar --zstd -xOf FILE secrets/${SITE_SECRET} > ${file} && chmod 600 ${file}\`)`;
  const start =
    trouble === "missing"
      ? `The secret of this site is missing: there is no ${file}, and AUTH_SECRET is not set`
      : `${authSecret ? "AUTH_SECRET" : `The secret in ${file}`} is not the secret of this site`;
  const change = "to change it on purpose run `spawnpoint change-secret` with the old one";
  return `${start}. With another one ${lost}, so nothing was started or written. ${back}, or set AUTH_SECRET as it was before; ${change}, or, when the old one is lost for good, \`spawnpoint change-secret --old-one-is-lost\`.`;
}
