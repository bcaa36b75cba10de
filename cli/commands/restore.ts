/** `spawnpoint restore FILE`: restores a backup into an empty data folder and an empty database. */
import path from "node:path";
import { type Config, readConfig } from "#config";
import { listenForTheEnd } from "../backup/end-signal.ts";
import { openBackup } from "../backup/read-backup-file.ts";
import { restoreBackup } from "../backup/restore-backup.ts";
import { BackupFileError } from "../backup/tar-entries.ts";
import { createLog } from "../process/log.ts";
import { StartError } from "../start-error.ts";
import { typedCommand, typedStart } from "../typed-command.ts";

export async function run(args: string[]): Promise<number> {
  const [given = ""] = args;
  if (args.length !== 1 || given === "" || given.startsWith("-")) {
    console.error(`Usage: ${typedCommand("restore FILE")}`);
    return 2;
  }
  const config = readConfig();
  const log = createLog(config, "restore");
  const signal = listenForTheEnd();
  const file = path.resolve(given);
  try {
    const backup = await openBackup(file);
    try {
      await restoreBackup(backup, config, log, signal);
    } catch (error) {
      // A StartError means that something remains.
      if (signal.aborted && !(error instanceof StartError)) throw signal.reason;
      throw error;
    } finally {
      await backup.close();
    }
    const { manifest, summary } = backup;
    const rows = summary.tables.reduce((sum, table) => sum + Number(table.rows), 0);
    console.log(`Restored: the site as of ${manifest.made_at}, ${rows} rows, ${backup.files} files.`);
    console.log("Everybody has been signed out.");
    for (const line of nextSteps(config)) console.log(line);
    return 0;
  } catch (error) {
    throw error instanceof BackupFileError ? new StartError(`${file}: ${error.message}.`) : error;
  }
}

/** Explains how to start the restored site, and what the file doesn't contain. */
function nextSteps({ dataDir, databaseUrl, s3, authSecret }: Config): string[] {
  const set = Object.entries({ DATABASE_URL: databaseUrl, "S3_…": s3, AUTH_SECRET: authSecret })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
  const same = set.length > 0 ? `, with the same ${set.join(", ")} as here` : "";
  return [
    `Start it${same}: ${typedStart(dataDir)}`,
    "Not in the file: the settings (/etc/spawnpoint.env, such as SITE_URL and SMTP_URL), the DNS record of the site's name, and AUTH_SECRET where it is a setting. Bring them from the old machine.",
  ];
}
