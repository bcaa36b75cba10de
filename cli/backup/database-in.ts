/** Loads a backup's rows into an empty database, in one transaction: all or nothing. */
import type { Writable } from "node:stream";
import { from as copyFrom } from "pg-copy-streams";
import { LOCKS } from "#db/advisory-locks.ts";
import { connectDatabase } from "#db/client.ts";
import { compareMigrations, listMigrations, readAppliedMigrations, runMigrations } from "#db/migrations.ts";
import type { Connection } from "#db/pool.ts";
import { createQueryable, type Queryable } from "#db/sql.ts";
import {
  columnsInSql,
  listSequences,
  listTables,
  quoteName,
  readFingerprint,
  type Table,
  TEXT_SETTINGS,
} from "#db/table-catalog.ts";
import { addSamplePartition } from "#jobs/measurements/sample-partitions.ts";
import { StartError } from "../start-error.ts";
import type { Manifest, Summary } from "./backup-shape.ts";
import { BackupFileError } from "./tar-entries.ts";

/** SQLSTATE of a statement that timed out. */
const TIMED_OUT = "57014";

export type DatabaseIn = {
  /** Adds rows to a table, in the manifest's order; parts of a table follow each other. */
  addRows(table: string, bytes: Buffer): Promise<void>;
  /** Compares the rows with the summary, and migrates the tables to this version. */
  finish(summary: Summary, options: { endSessions: boolean }): Promise<void>;
  /** @param restoreId `holdsRestore` finds it afterwards */
  commit(restoreId: string): Promise<void>;
  /** Rolls everything back; after `commit` only closes. */
  close(): Promise<void>;
};

/** @throws {BackupFileError} if this version can't read a backup of these migrations. */
export function requireKnownLevel({ migrations }: Manifest): number {
  const level = compareMigrations(migrations, listMigrations());
  if (level.kind === "known") return level.steps;
  if (level.kind === "foreign")
    throw new BackupFileError(level.why ?? "its tables are those of something else than Spawnpoint");
  throw new BackupFileError("it was made by a newer version of Spawnpoint. Restore it with that version");
}

/**
 * Opens the transaction and creates the tables as of the backup.
 * @throws {BackupFileError} if the database isn't empty, or the tables aren't those of the backup.
 */
export async function openDatabaseIn(
  databaseUrl: string,
  manifest: Manifest,
  signal?: AbortSignal,
): Promise<DatabaseIn> {
  const database = connectDatabase({ databaseUrl }, { max: 1, applicationName: "spawnpoint restore" });
  const cut = () => database.close(0);
  // Aborting doesn't wait for a long statement.
  signal?.addEventListener("abort", cut, { once: true });
  try {
    signal?.throwIfAborted();
    const connection = await database.connect();
    const sql = createQueryable(connection.query);
    await sql.unsafe("SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0");
    await sql.unsafe(TEXT_SETTINGS);
    await sql.unsafe("BEGIN");
    await sql`SELECT pg_advisory_xact_lock(${LOCKS.migration})`;
    const tables = await makeTables(sql, manifest);
    return { ...createLoader(connection, manifest, tables), close: cut };
  } catch (error) {
    await cut();
    throw error;
  }
}

/** Refuses a database that has any table. @throws {BackupFileError} */
export async function requireEmptyDatabase(databaseUrl: string): Promise<void> {
  const { sql, close } = connectDatabase({ databaseUrl }, { max: 1, applicationName: "spawnpoint restore" });
  try {
    await refuseTables(sql);
  } finally {
    await close();
  }
}

/**
 * Returns whether the restore with this id was committed here. The server may still run the last statement of a killed process,
 * which it notices only afterwards: until then the answer is unknown.
 * @throws {StartError} if the server takes longer than a moment.
 */
export async function holdsRestore(databaseUrl: string, restoreId: string): Promise<boolean> {
  const { sql, close } = connectDatabase({ databaseUrl }, { max: 1, applicationName: "spawnpoint restore" });
  try {
    await sql`SELECT pg_advisory_lock(${LOCKS.migration})`.catch((error) => {
      if (error.code !== TIMED_OUT) throw error;
      throw new StartError("The database is still busy with the restore that was ended. Run it again in a minute.");
    });
    const [found] = await sql<{ comment: string | null }[]>`
      SELECT obj_description(to_regclass('public.backups'), 'pg_class') AS comment`;
    return found?.comment === restoredAs(restoreId);
  } finally {
    await close();
  }
}

/** Comment of a table: exists if and only if the rows do. */
function restoredAs(restoreId: string): string {
  if (!/^[0-9a-f-]{36}$/.test(restoreId)) throw new RangeError(`${restoreId} is no id`);
  return `restored: ${restoreId}`;
}

async function refuseTables(sql: Queryable): Promise<void> {
  const found = await listTables(sql);
  if (found.length > 0 || (await readAppliedMigrations(sql)).length > 0) {
    throw new BackupFileError("the database is not empty. A backup is restored into an empty one alone");
  }
}

async function makeTables(sql: Queryable, manifest: Manifest): Promise<Map<string, Table>> {
  await refuseTables(sql);
  await runMigrations(sql, listMigrations().slice(0, requireKnownLevel(manifest)));
  // From here on, names come from the catalogue of the created tables, not from the file.
  const made = new Map((await listTables(sql)).map((table) => [table.name, table]));
  const tables = new Map<string, Table>();
  for (const { name, columns } of manifest.tables) {
    const own = made.get(name);
    if (!own || own.columns.toSorted().join() !== columns.toSorted().join()) {
      throw new BackupFileError(`its table ${name} is not one of this version of Spawnpoint`);
    }
    tables.set(name, { name: own.name, columns });
    // The triggers ran before the backup, and their results are among the rows.
    await sql.unsafe(`ALTER TABLE public.${quoteName(own.name)} DISABLE TRIGGER USER`);
  }
  // Backups contain no unlogged tables.
  if ([...made.values()].some(({ name, unlogged }) => !unlogged && !tables.has(name)))
    throw new BackupFileError("it lacks a table");
  for (const name of manifest.partitions) {
    const day = Date.parse(name.replace(/^.*_(\d{4})(\d{2})(\d{2})$/, "$1-$2-$3T00:00:00Z")) / 86_400_000;
    if (Number.isNaN(day)) throw new BackupFileError(`${name} is no day`);
    await addSamplePartition(sql, day);
  }
  return tables;
}

function createLoader(
  connection: Connection,
  manifest: Manifest,
  tables: Map<string, Table>,
): Omit<DatabaseIn, "close"> {
  const sql = createQueryable(connection.query);
  let open: { table: string; rows: Writable; failed: Promise<never> } | null = null;

  /** Waits for `work` on the current rows, or for their refusal. */
  async function unlessRefused(
    { table, failed }: NonNullable<typeof open>,
    work: (settle: (error?: Error | null) => void) => void,
  ): Promise<void> {
    const done = new Promise<void>((resolve, reject) => work((error) => (error ? reject(error) : resolve())));
    await connection
      .during(() => Promise.race([done, failed]))
      .catch((error) => {
        throw refusedRows(table, error);
      });
  }
  async function endRows(): Promise<void> {
    const ending = open;
    open = null;
    if (ending) await unlessRefused(ending, (settle) => ending.rows.end(settle));
  }
  function beginRows(name: string): NonNullable<typeof open> {
    const table = tables.get(name);
    if (!table) throw new BackupFileError(`it has rows of ${name}, which is no table of ours`);
    const statement = `COPY public.${quoteName(table.name)} (${columnsInSql(table)}) FROM STDIN`;
    const rows: Writable = connection.client.query(copyFrom(statement));
    const failed = new Promise<never>((_, reject) => rows.once("error", reject));
    failed.catch(() => {});
    return { table: name, rows, failed };
  }

  return {
    async addRows(name, bytes) {
      if (open?.table !== name) {
        await endRows();
        open = beginRows(name);
      }
      const { rows } = open;
      await unlessRefused(open, (settle) => rows.write(bytes, settle));
    },
    async finish(summary, { endSessions }) {
      await endRows();
      const counters = await listSequences(sql, manifest.tables);
      for (const { table, column, last_value, is_called } of summary.sequences) {
        const known = counters.some((counter) => counter.table === table && counter.column === column);
        if (!known) throw new BackupFileError(`it has a counter of ${table}.${column}, which has none`);
        await sql`SELECT setval(pg_get_serial_sequence(format('%I.%I', 'public', ${table}::text), ${column}), ${last_value}::bigint, ${is_called})`;
      }
      for (const { name, rows, fingerprint } of summary.tables) {
        const table = tables.get(name);
        const found = table && (await readFingerprint(sql, table));
        if (found?.rows !== rows || found.fingerprint !== fingerprint) {
          throw new BackupFileError(
            `table ${name} has ${found?.rows} rows now and had ${rows} then, or they are not the same`,
          );
        }
      }
      for (const { name } of tables.values())
        await sql.unsafe(`ALTER TABLE public.${quoteName(name)} ENABLE TRIGGER USER`);
      await runMigrations(sql, listMigrations().slice(requireKnownLevel(manifest)));
      // The backup doesn't know later logouts and used links.
      if (endSessions) await sql.unsafe("DELETE FROM sessions; DELETE FROM verifications");
    },
    async commit(restoreId) {
      await sql.unsafe(`COMMENT ON TABLE public.backups IS '${restoredAs(restoreId)}'`);
      await sql.unsafe("COMMIT");
      // Postgres would do it by itself later; now the restored site is fast at once.
      await sql.unsafe("ANALYZE").catch(() => {});
    },
  };
}

/** The server's error may contain the row: only its kind is shown. */
function refusedRows(table: string, error: unknown): Error {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  // Class 53 is "insufficient resources", 57 and 58 are the server's own errors: the file isn't the cause.
  if (/^(53|57|58|08|CONN)/.test(code) || code === "") return error instanceof Error ? error : new Error(String(error));
  return new BackupFileError(`the database refuses rows of ${table} (${code})`);
}
