/** `spawnpoint backup FILE`: makes a backup, with or without a running site; `--verify FILE` proves one. */
import path from "node:path";
import { readConfig } from "#config";
import { connectDatabase } from "#db/client.ts";
import { recordProof } from "#domain/site/backups.ts";
import { listenForTheEnd } from "../backup/end-signal.ts";
import { markProven, unmarkProven } from "../backup/kept-backups.ts";
import { makeBackup } from "../backup/make-backup.ts";
import { proveBackup } from "../backup/prove-backup.ts";
import { openBackup } from "../backup/read-backup-file.ts";
import { runScheduledBackup } from "../backup/scheduled-backup.ts";
import { withSiteDatabase } from "../backup/site-database.ts";
import { BackupFileError } from "../backup/tar-entries.ts";
import { createLog, type Log } from "../process/log.ts";
import { StartError } from "../start-error.ts";
import { typedCommand } from "../typed-command.ts";

const USAGE = `Usage: ${typedCommand("backup FILE")}\n       ${typedCommand("backup --verify FILE")}`;

export async function run(args: string[]): Promise<number> {
  const config = readConfig();
  const log = createLog(config, "backup");
  const signal = listenForTheEnd();
  const [first = "", file = ""] = args;
  // Internal: a web process runs it when a backup is due.
  if (first === "--scheduled" && args.length === 1) return runScheduledBackup(config, log, signal);
  if (first === "--verify" && file !== "" && args.length === 2) return verify(path.resolve(file), config, log, signal);
  if (first === "" || first.startsWith("-") || args.length !== 1) {
    console.error(USAGE);
    return 2;
  }
  const target = path.resolve(first);
  const made = await withSiteDatabase(config, log, (url) =>
    makeBackup(config, url, target, { scheduled: false, signal }),
  );
  console.log(`${target}: ${made.rows} rows as of ${made.made_at}, ${made.files} files, ${made.bytes} bytes`);
  console.log(`SHA-256 ${made.sha256}`);
  if (made.leftOut.length > 0) console.log(`Not of Spawnpoint, and left out: ${made.leftOut.join(", ")}`);
  console.log("It holds the site's secrets and everybody's data: keep it where only you can read it.");
  return 0;
}

type Config = ReturnType<typeof readConfig>;

async function verify(file: string, config: Config, log: Log, signal: AbortSignal): Promise<number> {
  const backup = await openBackup(file).catch((error: unknown) => {
    throw error instanceof BackupFileError ? new StartError(`${file}: ${error.message}.`) : error;
  });
  try {
    const failure = await proveBackup(backup, config, log, signal).then(
      () => null,
      (error: unknown) => {
        if (!(error instanceof BackupFileError)) throw error;
        return error.message;
      },
    );
    const recorded = await record(config, log, {
      backup_id: backup.manifest.id,
      sha256: backup.sha256,
      error: failure,
    });
    await (failure === null ? markProven(file, { sha256: backup.sha256, proven_at: new Date() }) : unmarkProven(file))
      // If the backup is on a read-only disk, only the database records the proof.
      .catch((error) => log.debug({ err: error }, "the proof could not be noted beside the backup"));
    if (failure !== null) throw new StartError(`${file}: ${failure}.`);
    const rows = backup.summary.tables.reduce((sum, table) => sum + Number(table.rows), 0);
    console.log(
      `${file}: restored and found the same, ${backup.summary.tables.length} tables, ${rows} rows, ${backup.files} files`,
    );
    console.log(`SHA-256 ${backup.sha256}`);
    console.log(recorded);
    return 0;
  } finally {
    await backup.close();
  }
}

const RECORDED = {
  recorded: "The dashboard says so from now on.",
  unknown: "This site does not know it: it was made elsewhere, or before this site was restored.",
  other: "CAREFUL: this site has made a backup of this name, and its file had another checksum.",
  nowhere: "There is no site here to remember it.",
};

/** Records the proof in the site's database if the site is here. */
async function record(config: Config, log: Log, proof: Parameters<typeof recordProof>[1]): Promise<string> {
  try {
    return await withSiteDatabase(config, log, async (databaseUrl) => {
      const { db, close } = connectDatabase({ databaseUrl }, { max: 1, applicationName: "spawnpoint backup" });
      return RECORDED[await recordProof(db, proof).finally(close)];
    });
  } catch (error) {
    log.debug({ err: error }, "the proof could not be recorded");
    return RECORDED.nowhere;
  }
}
