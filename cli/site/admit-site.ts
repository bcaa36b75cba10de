/** Decides whether a site may start here: reads only, before anything is written. */
import { type Config, DEMO_DATA_DIR } from "#config";
import { connectDatabase, type Db } from "#db/client.ts";
import { nameDatabase } from "#db/database-address.ts";
import { findSiteKind, markSite, type SiteKind } from "#domain/site/identity.ts";
import { countSecondFactors, describeSecretTrouble, findSecretTrouble } from "#domain/site/secret.ts";
import { rememberSinceYear } from "#domain/site/settings.ts";
import { findKeptBackup } from "../backup/kept-backups.ts";
import { StartError } from "../start-error.ts";
import { typedCommand } from "../typed-command.ts";

type Place = Pick<Config, "dataDir" | "databaseUrl" | "authSecret" | "demo" | "backups">;

/**
 * Refuses a demo on a real site's database and vice versa, and any start without the site's own secret.
 * @param databaseUrl the current database; `place.databaseUrl` is the operator's setting
 * @throws {StartError}
 */
export async function admitSite(place: Place, databaseUrl: string): Promise<void> {
  const { db, close } = connectDatabase({ databaseUrl }, { max: 1, applicationName: "spawnpoint start" });
  try {
    await admitKind(db, place);
    const trouble = await findSecretTrouble(db, place);
    if (trouble === null) return;
    const about = { secondFactors: await countSecondFactors(db), backup: await findKeptBackup(place) };
    throw new StartError(describeSecretTrouble(trouble, place, { ...about, backup: about.backup?.file ?? null }));
  } finally {
    await close();
  }
}

async function admitKind(db: Db, place: Place): Promise<void> {
  const { kind, marked } = await findSiteKind(db);
  if (place.demo && kind === "real") throw new StartError(otherKindText("real", place));
  // Remains of an earlier version's demo on an unmarked database are removed by the start.
  if (!place.demo && kind === "demo" && marked) throw new StartError(otherKindText("demo", place));
}

/**
 * Records the database's kind, and the year of the first start. A demo and a real site started at once notice each other.
 * @throws {StartError}
 */
export async function settleKind(db: Db, kind: SiteKind, place: Pick<Place, "dataDir" | "databaseUrl">): Promise<void> {
  const found = await markSite(db, kind);
  if (found !== kind) throw new StartError(otherKindText(found, place));
  await rememberSinceYear(db, kind === "demo");
}

function otherKindText(found: SiteKind, { dataDir, databaseUrl }: Pick<Place, "dataDir" | "databaseUrl">): string {
  const where = databaseUrl ? `the database of DATABASE_URL (${nameDatabase(databaseUrl)})` : dataDir;
  const setting = databaseUrl ? "DATABASE_URL" : "DATA_DIR";
  return found === "real"
    ? `The demo does not touch a real site, and ${where} is one's. Unset ${setting}, and the demo uses ${DEMO_DATA_DIR} and a database of its own; the site itself is started by \`${typedCommand("start")}\`.`
    : `A demo ran on ${where}, with pretend game servers and people, so no real site starts there. Set ${setting} to an empty place, or unset it; the demo itself is started by \`npm start\`.`;
}
