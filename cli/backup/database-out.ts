/** Reads all rows of a database from one snapshot, while others keep writing. */
import { to as copyTo } from "pg-copy-streams";
import { LOCKS } from "#db/advisory-locks.ts";
import { connectDatabase } from "#db/client.ts";
import { compareMigrations, listMigrations, readAppliedMigrations } from "#db/migrations.ts";
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
import { PART_BYTES, type Summary } from "./backup-shape.ts";
import { BackupFileError } from "./tar-entries.ts";

export type DatabaseOut = {
  about: { made_at: string; migrations: string[]; tables: Table[]; partitions: string[] };
  /** Tables that aren't Spawnpoint's, which are left out. */
  leftOut: string[];
  /** Reads a table in the server's COPY text format, in parts of some megabytes. */
  rowsOf(table: Table): AsyncGenerator<Buffer>;
  /** Counts in the same snapshot. */
  summarize(): Promise<Summary>;
  /** Releases the snapshot. */
  close(): Promise<void>;
};

/**
 * Opens a snapshot of the database. Writers don't wait for it; it and migrations wait for each other.
 * @throws {BackupFileError} if the tables aren't Spawnpoint's.
 */
export async function openDatabaseOut(databaseUrl: string, signal?: AbortSignal): Promise<DatabaseOut> {
  const database = connectDatabase({ databaseUrl }, { max: 1, applicationName: "spawnpoint backup" });
  const cut = () => database.close(0);
  signal?.addEventListener("abort", cut, { once: true });
  try {
    signal?.throwIfAborted();
    const connection = await database.connect();
    const sql = createQueryable(connection.query);
    await sql.unsafe("SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0");
    await sql.unsafe(TEXT_SETTINGS);
    await sql`SELECT pg_advisory_lock_shared(${LOCKS.migration})`;
    await sql.unsafe("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    return { ...(await readSnapshot(connection, sql)), close: cut };
  } catch (error) {
    await cut();
    throw error;
  }
}

async function readSnapshot(connection: Connection, sql: Queryable): Promise<Omit<DatabaseOut, "close">> {
  const migrations = await readAppliedMigrations(sql);
  const level = compareMigrations(migrations, listMigrations());
  if (migrations.length === 0 || level.kind === "foreign") {
    throw new BackupFileError((level.kind === "foreign" && level.why) || "the database holds no tables of Spawnpoint");
  }
  const found = (await listTables(sql)).flatMap(({ name, columns, unlogged }) => (unlogged ? [] : { name, columns }));
  // The tables of a newer version are unknown, so all are included.
  const ours = level.kind === "newer" ? null : await tablesAfter(level.steps);
  const tables = found.filter(({ name }) => ours === null || ours.has(name));
  // Prevents dropping a table, or a day of samples, before its rows are read.
  await sql.unsafe(
    `LOCK TABLE ${tables.map(({ name }) => `public.${quoteName(name)}`).join(", ")} IN ACCESS SHARE MODE`,
  );
  const partitions = await sql<{ name: string }[]>`
    SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'public.gameserver_sample'::regclass ORDER BY c.relname`;
  const [moment] = await sql<{ made_at: string }[]>`
    SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS made_at`;
  return {
    about: {
      made_at: moment?.made_at ?? "",
      migrations,
      tables,
      partitions: partitions.map(({ name }) => name),
    },
    leftOut: found.filter((table) => !tables.includes(table)).map(({ name }) => name),
    rowsOf: (table) => copyOut(connection, table),
    async summarize() {
      const counted: Summary["tables"] = [];
      for (const table of tables) counted.push({ name: table.name, ...(await readFingerprint(sql, table)) });
      return { tables: counted, sequences: await listSequences(sql, tables) };
    },
  };
}

async function* copyOut(connection: Connection, table: Table): AsyncGenerator<Buffer> {
  const statement = `COPY (SELECT ${columnsInSql(table)} FROM public.${quoteName(table.name)}) TO STDOUT`;
  const rows = connection.client.query(copyTo(statement))[Symbol.asyncIterator]();
  let waiting: Buffer[] = [];
  let length = 0;
  for (;;) {
    const { value: chunk, done } = await connection.during(() => rows.next());
    if (done) break;
    waiting.push(chunk);
    length += chunk.length;
    while (length >= PART_BYTES) {
      const all = Buffer.concat(waiting);
      yield all.subarray(0, PART_BYTES);
      waiting = [all.subarray(PART_BYTES)];
      length -= PART_BYTES;
    }
  }
  if (length > 0) yield Buffer.concat(waiting);
}

/** Lists the tables as of a number of migrations, from the generator's snapshot beside each. */
async function tablesAfter(steps: number): Promise<Set<string>> {
  const name = `${String(steps - 1).padStart(4, "0")}_snapshot.json`;
  const { default: snapshot }: { default: { tables: Record<string, { name: string }> } } = await import(
    `../../db/migrations/meta/${name}`,
    { with: { type: "json" } }
  );
  return new Set(Object.values(snapshot.tables).map((table) => table.name));
}
