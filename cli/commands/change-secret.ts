/** `spawnpoint change-secret`: replaces the site's secret; `--old-one-is-lost` gives up what the old one sealed. */
import { randomBytes } from "node:crypto";
import { mkdir, open, rm } from "node:fs/promises";
import path from "node:path";
import { type Config, readConfig } from "#config";
import { connectDatabase, type Db } from "#db/client.ts";
import { changeSecret, giveUpSecret, type NotChanged } from "#domain/accounts/secret-change.ts";
import { readSecret } from "#domain/accounts/secrets.ts";
import { checkOfSiteSecret, findSecretCheck, findSiteKind } from "#domain/site/identity.ts";
import {
  describeSecretTrouble,
  NEXT_SITE_SECRET,
  openSiteSecret,
  SITE_SECRET,
  takeNextSecret,
} from "#domain/site/secret.ts";
import { withSiteDatabase } from "../backup/site-database.ts";
import { createLog } from "../process/log.ts";
import { lockDataFolder } from "../site/data-folder-lock.ts";
import { StartError } from "../start-error.ts";

const LOST = "--old-one-is-lost";

export async function run(args: string[]): Promise<number> {
  const unknown = args.find((arg) => arg !== LOST);
  if (unknown !== undefined) {
    console.error(`\`spawnpoint change-secret\` knows ${LOST}, not "${unknown}".`);
    return 2;
  }
  const config = readConfig();
  const log = createLog(config, "change-secret");
  // With an external database nothing else locks the folder.
  const lock = config.databaseUrl ? lockDataFolder(config.dataDir) : null;
  try {
    return await withSiteDatabase(config, log, async (databaseUrl) => {
      const { db, close } = connectDatabase({ databaseUrl }, { max: 1, applicationName: "spawnpoint change-secret" });
      try {
        await requireSite(db, config);
        return await (args.includes(LOST) ? giveUp(db, config) : change(db, config));
      } finally {
        await close();
      }
    });
  } finally {
    lock?.release();
  }
}

async function requireSite(db: Db, { dataDir }: Config): Promise<void> {
  if ((await findSiteKind(db)).marked) return;
  throw new StartError(
    `No site has been started here with this version yet (${dataDir}). Start it once, so that its secret is known, then stop it and change the secret.`,
  );
}

async function change(db: Db, config: Config): Promise<number> {
  const from = await openSiteSecret(db, config);
  if (config.authSecret && !config.newAuthSecret) {
    throw new StartError(
      "AUTH_SECRET is a setting here, so its successor must be one: set NEW_AUTH_SECRET beside it (`openssl rand -base64 32` makes one), and run this again.",
    );
  }
  const to = config.newAuthSecret ?? randomBytes(32).toString("base64url");
  if (to === from) throw new StartError("NEW_AUTH_SECRET is the secret of now: set another one.");
  if (!config.authSecret) await keepNext(config.dataDir, to);
  const done = await changeSecret(db, { from, to });
  if (!done.ok) {
    if (!config.authSecret) await rm(path.join(config.dataDir, "secrets", NEXT_SITE_SECRET), { force: true });
    throw new StartError(notChangedText(done, config));
  }
  if (!config.authSecret) await takeNextSecret(config.dataDir);
  console.log(
    `The secret is changed. ${people(done.second_factors)} with a second factor use it as before, recovery codes too.`,
  );
  if (done.unreadable > 0) {
    console.log(`${people(done.unreadable)} had one that the old secret did not open either; it is as it was.`);
  }
  console.log(
    "Everybody signs in again. What is kept of deleted accounts against fraud is not matched by address any more.",
  );
  console.log(
    config.authSecret
      ? "Now write the new one in the place of AUTH_SECRET on every machine, remove NEW_AUTH_SECRET, and start the site."
      : "Now start the site, and make a backup: older ones hold the old secret.",
  );
  return 0;
}

/** Writes the new secret before the database switches: if interrupted, one of the two files is right. */
async function keepNext(dataDir: string, secret: string): Promise<void> {
  await mkdir(path.join(dataDir, "secrets"), { recursive: true, mode: 0o700 });
  const name = path.join(dataDir, "secrets", NEXT_SITE_SECRET);
  await rm(name, { force: true });
  const file = await open(name, "wx", 0o600);
  try {
    await file.writeFile(secret);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function giveUp(db: Db, config: Config): Promise<number> {
  const known = await findSecretCheck(db);
  const given = config.authSecret ?? (await readSecret(config.dataDir, SITE_SECRET));
  if (given !== null && known === checkOfSiteSecret(given)) {
    throw new StartError(`The secret here is the site's, so nothing is lost. To change it run this without ${LOST}.`);
  }
  let to = given;
  if (to === null) {
    to = randomBytes(32).toString("base64url");
    await keepNext(config.dataDir, to);
  }
  const done = await giveUpSecret(db, { to, siteUrl: config.siteUrl });
  if (!done.ok) throw new StartError(notChangedText(done, config));
  if (given === null) await takeNextSecret(config.dataDir);
  console.log(
    `The site has another secret now. The second factor of ${people(done.people)} is removed, and each is told by mail at the next start.`,
  );
  console.log(
    "Until they set one up anew, a password or a mailed code is enough to sign in. Everybody signs in again.",
  );
  return 0;
}

function notChangedText({ reason }: NotChanged, config: Config): string {
  return reason === "running"
    ? "The site is running with its secret, and nothing was changed: stop every web process first (systemctl stop spawnpoint, on all machines)."
    : describeSecretTrouble("other", config);
}

const people = (count: number): string => (count === 1 ? "1 person" : `${count} people`);
