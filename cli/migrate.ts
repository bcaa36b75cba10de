/** `spawnpoint migrate`: brings the tables up to date and puts the first content in. */

import { ConfigError, readConfig } from "#config";
import { seedFirstContent } from "#content/first-content.ts";
import { connectDatabase } from "#db/client.ts";
import { migrateDatabase } from "#db/migrate.ts";
import { refuseUnfinishedRestore } from "./backup/unfinished-restore.ts";

export async function run(): Promise<number> {
  const { databaseUrl, dataDir } = readConfig();
  if (!databaseUrl)
    throw new ConfigError("DATABASE_URL must be set; `spawnpoint start` migrates its own Postgres itself");
  refuseUnfinishedRestore(dataDir);
  await prepareDatabase(databaseUrl);
  console.log("The tables are up to date.");
  return 0;
}

/** Tables and first content; safe to repeat and to run twice at once. */
export async function prepareDatabase(databaseUrl: string): Promise<void> {
  await migrateDatabase(databaseUrl);
  const { db, close } = connectDatabase({ databaseUrl }, { max: 1, applicationName: "spawnpoint migrate" });
  try {
    await seedFirstContent(db);
  } finally {
    await close();
  }
}
