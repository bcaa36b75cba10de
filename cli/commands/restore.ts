/** `spawnpoint restore FILE`: puts a backup into an empty data folder and an empty database. */
import path from "node:path";
import { readConfig } from "#config";
import { listenForTheEnd } from "../backup/end-signal.ts";
import { openBackup } from "../backup/read-backup-file.ts";
import { restoreBackup } from "../backup/restore-backup.ts";
import { BackupFileError } from "../backup/tar-entries.ts";
import { createLog } from "../process/log.ts";
import { StartError } from "../start-error.ts";
import { typedCommand } from "../typed-command.ts";

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
      // A StartError says that something is left.
      if (signal.aborted && !(error instanceof StartError)) throw signal.reason;
      throw error;
    } finally {
      await backup.close();
    }
    const { manifest, summary } = backup;
    const rows = summary.tables.reduce((sum, table) => sum + Number(table.rows), 0);
    console.log(`Restored: the site as of ${manifest.made_at}, ${rows} rows, ${backup.files} files.`);
    console.log(`Everybody has been signed out. Start it: ${typedCommand("start")}`);
    return 0;
  } catch (error) {
    throw error instanceof BackupFileError ? new StartError(`${file}: ${error.message}.`) : error;
  }
}
