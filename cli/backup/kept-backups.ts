/** Finds the backup to recommend while the site is down: from the folder alone. */
import { readFileSync } from "node:fs";
import { readdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Config } from "#config";
import { EmbeddedPostgresError } from "#db/postgres/embedded-postgres-error.ts";
import { typedCommand } from "../typed-command.ts";

/** File beside a backup that was restored and found identical: size, SHA-256 and time. */
const PROVEN = ".proven";
/** Excludes unfinished files, and marks beside backups. */
const BACKUP = /\.tar\.zst$/;

/** `proven_at` null: not proven yet. */
export type KeptBackup = { file: string; proven_at: string | null };

/** Marks a backup as proven in a file beside it, in case its database is damaged. */
export async function markProven(file: string, proof: { sha256: string; proven_at: Date }): Promise<void> {
  const { size } = await stat(file);
  await writeFile(`${file}${PROVEN}`, `${size} ${proof.sha256} ${proof.proven_at.toISOString()}\n`, { mode: 0o600 });
}

/** Removes the mark when the backup is deleted or turns out invalid. */
export async function unmarkProven(file: string): Promise<void> {
  await rm(`${file}${PROVEN}`, { force: true });
}

/**
 * Finds the newest proven backup, or else the newest: in BACKUP_DIR, and in the data folder's `backups`. Null: none. A file whose
 * size has changed since the proof counts as unproven.
 */
export async function findKeptBackup({
  dataDir,
  backups,
}: Pick<Config, "dataDir" | "backups">): Promise<KeptBackup | null> {
  const folders = [backups?.dir, path.join(dataDir, "backups")].filter((folder) => folder !== undefined);
  const found = (await Promise.all(folders.map(listBackups))).flat().toSorted((a, b) => b.made_at - a.made_at);
  const best = found.find(({ proven_at }) => proven_at !== null) ?? found[0];
  return best ? { file: best.file, proven_at: best.proven_at } : null;
}

/**
 * Adds the backup and the commands to restore to an error of the embedded Postgres about damaged files. Returns other errors
 * unchanged.
 */
export async function pointToBackup(error: unknown, place: Pick<Config, "dataDir" | "backups">): Promise<unknown> {
  if (!(error instanceof EmbeddedPostgresError) || !error.damaged) return error;
  const { dataDir, backups } = place;
  const kept = await findKeptBackup(place);
  const aside = `mv ${dataDir} ${dataDir}.damaged`;
  const restore = (file: string) => `${aside} && DATA_DIR=${dataDir} ${typedCommand(`restore ${file}`)}`;
  const remedy = kept
    ? kept.proven_at
      ? `The newest proven backup is ${kept.file} (proven ${kept.proven_at}); go back to it by \`${restore(kept.file)}\``
      : `No backup is known to be proven; the newest is ${kept.file}. Prove it by \`DATA_DIR=${dataDir}.proof ${typedCommand(`backup --verify ${kept.file}`)}\`, and go back to it by \`${restore(kept.file)}\``
    : `No backup was found in ${backups?.dir ?? `${dataDir}/backups, and BACKUP_DIR is not set`}. If you have one elsewhere, go back to it by \`${restore("FILE")}\`; if not, copy ${dataDir} away before anything else and let somebody who knows Postgres look at the copy`;
  return new EmbeddedPostgresError(`The files of the database are damaged: ${error.message}. ${remedy}.`, {
    damaged: true,
  });
}

async function listBackups(folder: string): Promise<(KeptBackup & { made_at: number })[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => BACKUP.test(name));
  const found = await Promise.all(
    names.map(async (name) => {
      const file = path.join(folder, name);
      const about = await stat(file).catch(() => null);
      return about?.isFile() ? [{ file, made_at: about.mtimeMs, proven_at: readProof(file, about.size) }] : [];
    }),
  );
  return found.flat();
}

function readProof(file: string, size: number): string | null {
  try {
    const [, bytes, proven_at] = /^(\d+) [0-9a-f]{64} (\S+)\n$/.exec(readFileSync(`${file}${PROVEN}`, "utf8")) ?? [];
    return Number(bytes) === size ? (proven_at ?? null) : null;
  } catch {
    return null;
  }
}
