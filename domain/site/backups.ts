// Records backups: when one was made, when one was last proven, and when the next is due.
import { and, desc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { backups } from "#db/schema/index.ts";

/** Retry a failed backup after this time. */
const RETRY_H = 1;
const KEPT = 1000;

export type MadeBackup = Pick<
  typeof backups.$inferInsert,
  "backup_id" | "file_name" | "machine" | "scheduled" | "started_at"
> & { outcome: { bytes: number; row_count: number; file_count: number; sha256: string } | { error: string } };

/** Records a backup, or why it failed. */
export async function recordBackup(db: Db, { outcome, ...backup }: MadeBackup): Promise<void> {
  const made = "error" in outcome ? outcome : { ...outcome, made_at: sql`now()` };
  await db.insert(backups).values({ ...backup, ...made });
  await db.execute(
    sql`delete from ${backups} where ${backups.started_at} < (select ${backups.started_at} from ${backups} order by ${backups.started_at} desc offset ${KEPT - 1} limit 1)`,
  );
}

/**
 * Records that a file was restored and matched, or why it didn't.
 * @returns `unknown`: no backup of this id was made here; `other`: the file made then had another checksum.
 */
export async function recordProof(
  db: Db,
  proof: { backup_id: string; sha256: string; error: string | null },
): Promise<"recorded" | "unknown" | "other"> {
  const [made] = await db
    .select({ sha256: backups.sha256 })
    .from(backups)
    .where(eq(backups.backup_id, proof.backup_id));
  if (!made) return "unknown";
  if (made.sha256 !== proof.sha256) return "other";
  const set = proof.error === null ? { proven_at: sql`now()`, error: null } : { error: proof.error };
  await db.update(backups).set(set).where(eq(backups.backup_id, proof.backup_id));
  return "recorded";
}

/** Lists the file names, from all machines, that were restored and matched, with no failure since. */
export async function listProvenFiles(db: Db): Promise<Set<string>> {
  const proven = await db
    .select({ file_name: backups.file_name })
    .from(backups)
    .where(and(isNotNull(backups.proven_at), isNull(backups.error)));
  return new Set(proven.map(({ file_name }) => file_name));
}

/** Why the newest backup failed, where that determines the fix: `room`, `rights`, or `other` (only its text explains it). */
export type BackupTrouble = "room" | "rights" | "other";

/** @param error the recorded text of a backup */
export function backupTrouble(error: string): BackupTrouble {
  if (/\bENOSPC\b|no space left/i.test(error)) return "room";
  return /\b(?:EACCES|EPERM|EROFS)\b|permission denied|read-only file system/i.test(error) ? "rights" : "other";
}

/** Reads the state for the dashboard: null means never. `error` belongs to the newest attempt; null if it succeeded. */
export async function readBackupState(db: Db): Promise<{
  made_at: string | null;
  /** Seconds since then, by the database's clock. */
  age_s: number | null;
  bytes: number | null;
  proven_at: string | null;
  error: string | null;
}> {
  const newest = {
    made_at: backups.made_at,
    age_s: sql<number | null>`extract(epoch from now() - ${backups.made_at})::float8`,
    bytes: backups.bytes,
    proven_at: backups.proven_at,
    error: backups.error,
  };
  const [[last], [made], [proven]] = await Promise.all([
    db.select(newest).from(backups).orderBy(desc(backups.started_at)).limit(1),
    db.select(newest).from(backups).where(isNotNull(backups.made_at)).orderBy(desc(backups.started_at)).limit(1),
    db.select(newest).from(backups).where(isNotNull(backups.proven_at)).orderBy(desc(backups.proven_at)).limit(1),
  ]);
  return {
    made_at: made?.made_at?.toISOString() ?? null,
    age_s: made?.age_s ?? null,
    bytes: made?.bytes ?? null,
    proven_at: proven?.proven_at?.toISOString() ?? null,
    error: last?.error ?? null,
  };
}

/** True if the last scheduled backup began at least `everyH` hours ago; one that failed counts for an hour. */
export async function isBackupDue(db: Db, everyH: number): Promise<boolean> {
  const {
    rows: [row],
  } = await db.execute<{ due: boolean }>(sql`
    select not exists (
      select 1 from ${backups} where ${backups.scheduled} and ${backups.started_at} >
        now() - make_interval(mins => case when ${backups.made_at} is null then ${Math.min(RETRY_H, everyH) * 60}::int else ${everyH * 60}::int end)
    ) as due`);
  return row?.due ?? false;
}
